/**
 * What of a text says who somebody is, replaced by pseudonyms: user names in
 * paths, e-mail addresses, device ids, passwords and tokens.
 *
 * A pseudonym is made of what it stands for, so that the same name has the
 * same pseudonym in every report and on every day: reports can still be
 * compared. Who has a list of names can find out which of them it was.
 */
#ifndef APMTOOL_LIB_MODEL_REDACT_TEXT_H
#define APMTOOL_LIB_MODEL_REDACT_TEXT_H

#include "lib/base/arena.h"
#include "lib/base/text.h"

/** @p in itself where there is nothing to hide; NULL for NULL. */
const char *redact_text(const char *in, struct arena *arena);

/** A pseudonym for all of it: `device-0123abcd`; NULL for NULL. */
const char *redact_whole(const char *in, const char *kind, struct arena *arena);

#endif
