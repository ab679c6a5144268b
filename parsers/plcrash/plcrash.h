// SPDX-License-Identifier: MIT
/**
 * What the files of the PLCrashReporter parser share.
 */
#ifndef APMTOOL_PARSERS_PLCRASH_PLCRASH_H
#define APMTOOL_PARSERS_PLCRASH_PLCRASH_H

#include "parsers/plcrash/message.h"

/** A processor: numbers of <mach/machine.h>, if the encoding says so. */
struct plcrash_cpu {
	struct plcrash_number encoding; ///< 1: Mach
	struct plcrash_number type;
	struct plcrash_number subtype;
};

/** The messages of which there is one, as the file has them. */
struct plcrash_facts {
	struct {
		struct plcrash_number operating_system;
		struct plcrash_number architecture; ///< given up by version 1.2
		struct plcrash_number timestamp;    ///< seconds since 1970
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

/** The field `code_type` of an image, `processor` of the machine. */
void plcrash_read_cpu(struct plcrash_message *message, struct plcrash_cpu *cpu);
/** NULL if it is no Mach processor, or one without a name. */
const char *plcrash_cpu_arch(const struct plcrash_cpu *cpu);

// stacks.c: goes straight into the report, not into a target.

void plcrash_read_thread(struct plcrash_message *message, void *target);
void plcrash_read_image(struct plcrash_message *message, void *target);
void plcrash_read_exception(struct plcrash_message *message, void *target);
/** Note how much was left out. */
void plcrash_note_limits(const struct plcrash_message *report);

// facts.c

/** Put what was read of the report where the model has it. */
void plcrash_use_facts(const struct plcrash_facts *facts,
                       const struct plcrash_message *message);

#endif
