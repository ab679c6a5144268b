// SPDX-License-Identifier: MIT
/**
 * Apple's products by id: their names, and the size of their memory pages
 * (apmtool-formats(5)).
 */
#ifndef APMTOOL_LIB_DARWIN_PRODUCTS_H
#define APMTOOL_LIB_DARWIN_PRODUCTS_H

#include <stdbool.h>
#include <stdint.h>

/** `iPhone 11 Pro` for `iPhone12,3`; NULL if unknown. */
const char *darwin_model_name(const char *product);

/** Is it a result of darwin_model_name()? */
bool darwin_is_model(const char *name);

/**
 * The page size of a device's jetsam logs, for logs without it: 4096 before A7,
 * 16384 since A9.
 *
 * @return Is it known? With A7 and A8 it is not: programs see pages of 16 KiB,
 * the kernel counts in 4 KiB, and a log of an iPhone7,2 has 4096. Watches and
 * unknown products are not known either.
 */
bool darwin_page_bytes(const char *product, uint64_t *ret);

#endif
