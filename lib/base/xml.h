// SPDX-License-Identifier: MIT
/**
 * Writes untrusted text into XML and HTML.
 *
 * The output is safe as text and inside both kinds of quotes, in XML and HTML:
 * every character that either would reject or interpret is escaped.
 */
#ifndef APMTOOL_LIB_BASE_XML_H
#define APMTOOL_LIB_BASE_XML_H

#include "lib/base/str.h"

/**
 * Append untrusted text. Hidden characters and invalid UTF-8 are made visible
 * as by utf8_add_visible(), and so are U+FFFE and U+FFFF, which XML forbids.
 */
void xml_add_text(struct str *out, struct text in);

/**
 * Append a document as the value of an attribute: a reader of the attribute
 * gets the same bytes. For documents of ours, in which all is visible.
 */
void xml_add_document(struct str *out, struct text in);

#endif
