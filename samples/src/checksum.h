/* Fletcher's checksum, in C, called from all the others. */
#ifndef DEMO_CHECKSUM_H
#define DEMO_CHECKSUM_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

u32 checksum_block(const u8 *data, size length);
u32 checksum_text(const char *text);

#ifdef __cplusplus
}
#endif

#endif
