// SPDX-License-Identifier: MIT
/** Shared by the files of the PLCrashReporter parser. */
#ifndef APMTOOL_PARSERS_PLCRASH_PLCRASH_H
#define APMTOOL_PARSERS_PLCRASH_PLCRASH_H

#include "parsers/plcrash/message.h"

/** A processor: numbers of <mach/machine.h> if the encoding is Mach. */
struct plcrash_cpu {
	struct plcrash_number encoding; ///< 1: Mach
	struct plcrash_number type;
	struct plcrash_number subtype;
};

/** Messages that occur once, as in the file. */
struct plcrash_facts {
	struct {
		struct plcrash_number operating_system;
		/** unused since version 1.2 */
		struct plcrash_number architecture;
		struct plcrash_number timestamp; ///< seconds since 1970
		const char *version;
		const char *build;
	} system;
	struct {
		const char *identifier;
		const char *version;   ///< CFBundleVersion: the build
		const char *marketing; ///< the short version
	} app;
	struct {
		const char *name;
		const char *path;
		const char *parent_name;
		struct plcrash_number id;
		struct plcrash_number parent_id;
		struct plcrash_number native; ///< 0: under Rosetta
		struct plcrash_number start_time;
	} process;
	struct {
		const char *model;
		struct plcrash_cpu processor;
	} machine;
	struct {
		const char *name; ///< `SIGSEGV`
		const char *code; ///< `SEGV_MAPERR`
		struct plcrash_number address;
		struct plcrash_number mach_type;
		struct plcrash_numbers mach_codes;
	} signal;
	struct plcrash_number user_requested;
	struct bytes uuid;
	struct bytes custom_data;
};

// facts.c

/** Read the field `code_type` of an image, or `processor` of the machine. */
void plcrash_read_cpu(struct plcrash_message *message, struct plcrash_cpu *cpu);
/** Name of the architecture; NULL if unknown or not a Mach processor. */
const char *plcrash_cpu_arch(const struct plcrash_cpu *cpu);

// stacks.c: these write to the report, not to a target.

void plcrash_read_thread(struct plcrash_message *message, void *target);
void plcrash_read_image(struct plcrash_message *message, void *target);
void plcrash_read_exception(struct plcrash_message *message, void *target);
/** Note how many entries were over the limits. */
void plcrash_note_limits(const struct plcrash_message *report);

// facts.c

/** Copy the facts into the report. */
void plcrash_use_facts(const struct plcrash_facts *facts,
                       const struct plcrash_message *message);

#endif
