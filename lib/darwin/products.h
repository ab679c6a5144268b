// SPDX-License-Identifier: MIT
/**
 * Apple's products by their ids: what they are sold as, and how large their
 * pages are (formats.md 4.7, from Apple's own lists).
 */
#ifndef APMTOOL_LIB_DARWIN_PRODUCTS_H
#define APMTOOL_LIB_DARWIN_PRODUCTS_H

#include <stdbool.h>
#include <stdint.h>

/** `iPhone 11 Pro` for `iPhone12,3`; NULL if it is not known. */
const char *darwin_model_name(const char *product);

/** Is this the name of a model, as darwin_model_name() returns it? */
bool darwin_is_model(const char *name);

/**
 * The size of the pages that jetsam logs of a device count in, for logs that
 * do not say it: 4096 before A7, 16384 from A9 on.
 *
 * @return Whether the product settles it. With A7 and A8 it does not: programs
 *         see pages of 16 KiB there, the kernel counts in 4 KiB, and a log of
 *         an iPhone7,2 says 4096. Nor do watches and unknown products.
 */
bool darwin_page_bytes(const char *product, uint64_t *ret);

#endif
