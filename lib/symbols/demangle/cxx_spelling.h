// SPDX-License-Identifier: MIT
/**
 * Spells C++ names as Apple's tools do.
 *
 * The runtime's demangler and LLVM's, which Apple's crash reports and atos use,
 * print some names differently. Converts the former to the latter (samples:
 * reports of macOS 13 to 26):
 *
 *     GNU                                   Apple
 *     {lambda(void*)#1}                     'lambda'(void*)
 *     {lambda(auto:1)#2}                    'lambda0'(auto)
 *     {unnamed type#1}                      'unnamed'
 *     a<b<int> >                            a<b<int>>
 *     decltype(nullptr)                     std::nullptr_t
 *     decltype (a(b))                       decltype(a(b))
 *     void ( swiftasynccall*)(int)          void (int) swiftasynccall*
 *
 * Reports of macOS 12 and before have `> >`.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_CXX_SPELLING_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_CXX_SPELLING_H

#include "lib/base/str.h"
#include "lib/base/text.h"

/** Append @p printed, a name from the runtime, in Apple's spelling. */
void cxx_spell(struct text printed, struct str *out);

#endif
