// SPDX-License-Identifier: MIT
#include "lib/darwin/headline.h"

#include "lib/base/number.h"
#include "lib/darwin/headline_words.h"
#include "lib/darwin/kernel_memory.h"

#include <string.h>

// Max bytes of a line to examine.
#define LOOK_BYTES 2000

/** Properties of a kind of headline. */
static const struct kind {
	const char *word;
	bool ends_process;
	bool is_apple;
} kinds[] = {
	[HEADLINE_OBJC] = { "objc-exception", true, true },
	[HEADLINE_CPP] = { "c++-exception", true, true },
	[HEADLINE_ZOMBIE] = { "zombie", true, true },
	[HEADLINE_SWIFT] = { "swift-trap", true, true },
	[HEADLINE_DYLD] = { "dyld", true, true },
	[HEADLINE_KOTLIN] = { "kotlin-exception", true, true },
	[HEADLINE_RUST] = { "rust-panic", true, false },
	[HEADLINE_GO] = { "go-panic", true, false },
	[HEADLINE_DOTNET] = { "dotnet-exception", true, false },
	[HEADLINE_MONO] = { "mono-native-crash", true, false },
	[HEADLINE_DART] = { "dart-exception", false, false },
	[HEADLINE_JAVASCRIPT] = { "javascript-error", false, false },
	[HEADLINE_SANITIZER] = { "sanitizer", true, false },
	[HEADLINE_MAIN_THREAD] = { "main-thread-checker", false, true },
	[HEADLINE_PERFORMANCE] = { "thread-performance-checker", false, true },
	[HEADLINE_MEMORY] = { "memory-corruption", true, true },
	[HEADLINE_WATCHDOG] = { "watchdog", true, true },
	// Often of another process than the log's.
	[HEADLINE_MEMORY_KILL] = { "memory-limit", false, true },
	[HEADLINE_ASSERTION] = { "assertion", false, true },
	[HEADLINE_PANIC] = { "kernel-panic", true, true },
};

typedef bool (*read_rest)(struct text rest, struct headline *ret);

/** Prefix of a headline, its other properties, and a parser for the rest. */
struct row {
	enum headline_kind kind;
	const char *begins;
	const char *holds; ///< after that; NULL: anything
	/** parses the text after `begins`; false: not a headline */
	read_rest read;
};

// The text after the prefix

/** The rest is the reason. */
static bool read_reason(struct text rest, struct headline *ret)
{
	ret->reason = text_trim(rest);
	return true;
}

static bool read_message(struct text rest UNUSED, struct headline *ret)
{
	ret->reason = ret->message;
	return true;
}

/** The reason is in the lines below. */
static bool read_empty(struct text rest UNUSED, struct headline *ret UNUSED)
{
	return true;
}

/** As read_reason(), if frames are needed for certainty. */
static bool read_doubtful(struct text rest, struct headline *ret)
{
	ret->needs_frames = true;
	return read_reason(rest, ret);
}

/** `'NAME', reason: 'REASON`; the reason may continue below. */
static bool read_objc(struct text rest, struct headline *ret)
{
	static const char then[] = "', reason: '";
	size_t end;

	rest = text_trim_left(rest);
	if (text_take(&rest, "of class '") || text_take(&rest, "'")) {
		end = text_find(rest, then);
		if (end == TEXT_NOWHERE) {
			ret->name =
			        text_first(rest, text_find_char(rest, '\''));
			return true;
		}
		ret->name = text_first(rest, end);
		rest = text_after(rest, end + strlen(then));
		if (text_ends(rest, "'"))
			rest = text_first(rest, rest.size - 1);
	}
	return read_reason(rest, ret);
}

/** Size of a type's name: letters, digits, `.`, `_`, `$`. */
static size_t type_size(struct text text)
{
	size_t size = 0;

	while (size < text.size &&
	       (text_is_alnum(text.data[size]) || text.data[size] == '.' ||
	        text.data[size] == '_' || text.data[size] == '$' ||
	        text.data[size] == '`' || text.data[size] == '+'))
		size++;
	return size && text_is_letter(text.data[0]) ? size : 0;
}

/** `kotlin.IllegalStateException: boom` */
static bool read_typed(struct text rest, struct headline *ret)
{
	size_t size = type_size(rest);

	if (!size || (size < rest.size && rest.data[size] != ':'))
		return read_reason(rest, ret);
	ret->name = text_first(rest, size);
	ret->reason = text_trim(text_after(rest, size + 1));
	return true;
}

/** The type that ends in `Exception` or `Error`. */
static bool has_type(const struct headline *headline)
{
	return text_ends(headline->name, "Exception") ||
	       text_ends(headline->name, "Error");
}

/** Types of .NET have a namespace, those of Dart do not. */
static bool read_dotted(struct text rest, struct headline *ret)
{
	return read_typed(rest, ret) && has_type(ret) &&
	       !headline_words_begin(WORDS_JAVA, rest) &&
	       text_find_char(ret->name, '.') != TEXT_NOWHERE;
}

/** `… of type std::runtime_error: what` */
static bool read_cpp(struct text rest, struct headline *ret)
{
	static const char type[] = " of type ";
	size_t at = text_find(rest, type);
	size_t end;

	if (at == TEXT_NOWHERE)
		return read_message(rest, ret);
	rest = text_after(rest, at + strlen(type));
	end = text_find(rest, ": ");
	ret->name = text_trim(text_first(rest, end));
	ret->reason = end == TEXT_NOWHERE
	                      ? TEXT_NONE
	                      : text_trim(text_after(rest, end + 2));
	return true;
}

/** libc++abi's message before it ends the process. */
static bool read_abi(struct text rest, struct headline *ret)
{
	text_take(&rest, ".dylib");
	if (!text_take(&rest, ": "))
		return false;
	return text_starts(rest, "terminating") && read_cpp(rest, ret);
}

/** `FILE:12`, where 12 is not a column. */
static bool read_place(struct text place, struct headline *ret)
{
	size_t colon = text_find_last_char(place, ':');
	struct text file = text_first(place, colon);

	if (colon == TEXT_NOWHERE || !colon ||
	    !number_decimal(text_after(place, colon + 1), &ret->line) ||
	    text_find_char(file, ':') != TEXT_NOWHERE ||
	    text_find(file, "  ") != TEXT_NOWHERE)
		return false;
	ret->file = file;
	return true;
}

/** Older systems print it at the end: `…: file App/File.swift, line 12`. */
static void cut_place_behind(struct headline *ret)
{
	static const char file[] = ": file ";
	size_t at = text_find_last(ret->reason, file);
	struct text place = text_after(ret->reason, at + strlen(file));
	size_t comma = text_find_last(place, ", line ");

	if (at == TEXT_NOWHERE || comma == TEXT_NOWHERE ||
	    !number_decimal(
	            text_trim(text_after(place, comma + strlen(", line "))),
	            &ret->line))
		return;
	ret->file = text_first(place, comma);
	ret->reason = text_trim(text_first(ret->reason, at));
}

/**
 * `Fatal error: …` without a file, which other programs print, too. The app's
 * is known by its words, or by its log prefix.
 */
static bool read_fatal(struct text rest, struct headline *ret)
{
	bool is_swift;

	ret->reason = text_trim(rest);
	cut_place_behind(ret);
	is_swift = ret->line || headline_words_begin(WORDS_SWIFT, ret->reason);
	if (!is_swift && (headline_words_begin(WORDS_NOT_SWIFT, ret->reason) ||
	                  text_find(rest, " on line ") != TEXT_NOWHERE ||
	                  text_ends(ret->reason, "file not found")))
		return false;
	ret->needs_frames = !is_swift && !ret->prefix.is_apple;
	return true;
}

/** `fatal error: …` of Swift 4 and before, and of compilers. */
static bool read_old_fatal(struct text rest, struct headline *ret)
{
	ret->reason = text_trim(rest);
	cut_place_behind(ret);
	return ret->line || headline_words_begin(WORDS_SWIFT, ret->reason);
}

/** `dyld: …`, `dyld[612]: …`, in a log `dyld[612] <Notice>: …`. */
static bool read_dyld(struct text rest, struct headline *ret)
{
	size_t end;

	if (text_take(&rest, "[")) {
		end = text_find_char(rest, ']');
		if (end == TEXT_NOWHERE)
			return false;
		rest = text_after(rest, end + 1);
	}
	if (text_take(&rest, " <")) {
		end = text_find_char(rest, '>');
		if (end == TEXT_NOWHERE)
			return false;
		rest = text_after(rest, end + 1);
	}
	if (!text_take(&rest, ":"))
		return false;
	rest = text_trim_left(rest);
	return headline_words_begin(WORDS_DYLD, rest) && read_reason(rest, ret);
}

/** `Assertion failed: (a), function f, file cart.c, line 12.` */
static bool read_assert(struct text rest, struct headline *ret)
{
	static const char file[] = ", file ";
	static const char said[] = ", line ";
	size_t at = text_find_last(rest, file);
	struct text place = text_after(rest, at + strlen(file));
	size_t comma = text_find_last(place, said);
	struct text line = text_after(place, comma + strlen(said));

	if (at != TEXT_NOWHERE && comma != TEXT_NOWHERE) {
		line = text_first(line, text_count_digits(line));
		if (number_decimal(line, &ret->line))
			ret->file = text_first(place, comma);
	}
	return read_message(rest, ret);
}

/** `-[Cart pay], Cart.m:44`, without Foundation's words before it. */
static bool read_failure(struct text rest, struct headline *ret)
{
	ret->reason = text_after(ret->message, strlen("Assertion failure in "));
	return text_find(rest, "], ") != TEXT_NOWHERE;
}

/** `AddressSanitizer: heap-use-after-free cart.c:12 in pay` */
static bool read_summary(struct text rest, struct headline *ret)
{
	size_t colon = text_find_char(rest, ':');

	ret->name = text_first(rest, colon);
	return text_ends(ret->name, "Sanitizer") &&
	       read_reason(text_after(rest, colon + 1), ret);
}

/** `main' (123) panicked at 'words', src/main.rs:4:5`, and the new form. */
static bool read_rust(struct text rest, struct headline *ret)
{
	static const char said[] = " panicked at ";
	size_t at = text_find(rest, said);
	size_t end;

	if (at == TEXT_NOWHERE)
		return text_find(rest, "has overflowed its stack") !=
		               TEXT_NOWHERE &&
		       read_message(rest, ret);
	rest = text_trim(text_after(rest, at + strlen(said)));
	if (text_take(&rest, "'")) {
		end = text_find_last(rest, "', ");
		ret->reason = text_first(rest, end);
		rest = end == TEXT_NOWHERE ? TEXT_NONE
		                           : text_after(rest, end + 3);
	}
	// The message is in the lines below.
	rest = text_trim(text_first(rest, text_find_char(rest, '\n')));
	if (text_ends(rest, ":"))
		rest = text_first(rest, rest.size - 1);
	// `file:line:column`
	end = text_find_last_char(rest, ':');
	if (end != TEXT_NOWHERE)
		read_place(text_first(rest, end), ret);
	return true;
}

/** `panic: …`, which other programs and kernels print, too. */
static bool read_go_panic(struct text rest, struct headline *ret)
{
	ret->needs_frames = !headline_words_begin(WORDS_GO_PANIC, rest);
	return read_reason(rest, ret);
}

static bool read_go_fatal(struct text rest, struct headline *ret)
{
	ret->needs_frames = !headline_words_begin(WORDS_GO_FATAL, rest);
	return (!ret->needs_frames ||
	        headline_words_begin(WORDS_GO_DOUBT, rest)) &&
	       read_reason(rest, ret);
}

static bool read_rust_fatal(struct text rest, struct headline *ret)
{
	ret->needs_frames = !headline_words_begin(WORDS_RUST_FATAL, rest);
	return read_reason(rest, ret);
}

/** `Unhandled exception. System.FormatException: …`; any type is possible. */
static bool read_dotnet(struct text rest, struct headline *ret)
{
	bool is_typed = read_typed(rest, ret) && has_type(ret);

	ret->needs_frames = !is_typed;
	return is_typed || text_find_char(ret->name, '.') != TEXT_NOWHERE;
}

/** .NET's message before it ends the process: `Fatal error. System.…`. */
static bool read_dotnet_fatal(struct text rest, struct headline *ret)
{
	if (text_starts(rest, "Internal CLR error"))
		return read_reason(rest, ret);
	return read_typed(rest, ret) && headline_words_dotnet(ret->name);
}

/** Mono's first line; the exception is in the next one. */
static bool read_alone(struct text rest, struct headline *ret UNUSED)
{
	return !text_trim(rest).size;
}

/** Does the log prefix name Dart's engine? */
static bool is_of_flutter(const struct headline *headline)
{
	struct text before = {
		.data = headline->message.data - headline->before,
		.size = headline->before,
	};

	return text_find(before, "flutter") != TEXT_NOWHERE ||
	       text_find(before, "Flutter") != TEXT_NOWHERE ||
	       text_find(before, "dart") != TEXT_NOWHERE;
}

/** Dart's; a program may throw any text. */
static bool read_dart(struct text rest, struct headline *ret)
{
	read_typed(rest, ret);
	ret->needs_frames = !is_of_flutter(ret) && !has_type(ret) &&
	                    !headline_words_begin(WORDS_DART, rest);
	return !headline_words_begin(WORDS_JAVA, rest);
}

/** `==612==ERROR: AddressSanitizer: heap-use-after-free on address …` */
static bool read_sanitizer(struct text rest, struct headline *ret)
{
	static const char mark[] = "Sanitizer: ";
	size_t at = text_find(rest, mark);
	struct text tool = text_first(rest, at);
	struct text level = rest;
	size_t begin = tool.size;

	// Others draw lines of `=`.
	if (!text_take_digits(&level).size || !text_take(&level, "==") ||
	    !(text_starts(level, "ERROR: ") || text_starts(level, "WARNING: ")))
		return false;
	while (begin && text_is_letter(tool.data[begin - 1]))
		begin--;
	ret->name = text_first(text_after(rest, begin),
	                       tool.size - begin + strlen("Sanitizer"));
	return read_reason(text_after(rest, at + strlen(mark)), ret);
}

// The system's messages about other processes

static void use_memory(const struct kernel_memory *line, struct headline *ret)
{
	ret->prefix.process = line->name;
	ret->prefix.pid = line->pid;
	ret->prefix.has_pid = true;
	ret->reason = line->words;
}

/** `Demo[612] exceeded mem limit: InactiveHard 14 MB (fatal)`. */
static bool read_exceeded(struct text rest, struct headline *ret)
{
	struct kernel_memory line = { .name = TEXT_NONE };

	if (!kernel_memory_exceeded(rest, &line))
		return false;
	use_memory(&line, ret);
	return true;
}

/**
 * `_specific_process pid 612 [Demo] (per-process-limit 3) 140000KB - …`; kills
 * of idle processes are routine.
 */
static bool read_killing(struct text rest, struct headline *ret)
{
	struct kernel_memory line = { .name = TEXT_NONE };

	if (text_starts(rest, "_idle_process") ||
	    !kernel_memory_killing(rest, &line))
		return false;
	use_memory(&line, ret);
	ret->name = line.reason;
	return true;
}

static bool read_unhandled_js(struct text rest, struct headline *ret)
{
	read_typed(rest, ret);
	return true;
}

static const struct row rows[] = {
	{ HEADLINE_OBJC, "*** Terminating app due to uncaught exception", NULL,
	  read_objc },
	{ HEADLINE_OBJC, "Terminating app due to uncaught exception ", NULL,
	  read_objc },
	{ HEADLINE_CPP, "libc++abi", NULL, read_abi },
	{ HEADLINE_ASSERTION, "libc++abi", " virtual function called",
	  read_message },
	{ HEADLINE_CPP, "terminating due to uncaught ", NULL, read_cpp },
	{ HEADLINE_CPP, "terminating with uncaught ", NULL, read_cpp },
	{ HEADLINE_ZOMBIE, "*** -[", "message sent to deallocated instance",
	  read_message },
	{ HEADLINE_ZOMBIE, "*** +[", "message sent to deallocated instance",
	  read_message },
	{ HEADLINE_ZOMBIE, "-[", "message sent to deallocated instance",
	  read_message },
	{ HEADLINE_ZOMBIE, "-[??? ", NULL, read_message },
	{ HEADLINE_ZOMBIE, "*** -[??? ", NULL, read_message },
	{ HEADLINE_ZOMBIE, "(-[", " was sent to a zombie object",
	  read_message },
	{ HEADLINE_ZOMBIE, "-[", " was sent to a zombie object", read_message },
	{ HEADLINE_ZOMBIE, "An Objective-C message was sent to a deallocated",
	  NULL, read_message },
	{ HEADLINE_MAIN_THREAD, "Main Thread Checker: ",
	  "API called on a background thread", read_reason },
	{ HEADLINE_MAIN_THREAD, "-[", " must be used from main thread only",
	  read_message },
	{ HEADLINE_MAIN_THREAD, "+[", " must be used from main thread only",
	  read_message },
	{ HEADLINE_MAIN_THREAD, "UI API called on a background thread: ", NULL,
	  read_reason },
	{ HEADLINE_PERFORMANCE,
	  "Thread Performance Checker: ", "Thread running at ", read_reason },
	{ HEADLINE_PERFORMANCE, "Thread Performance Checker: ", " main thread",
	  read_reason },
	{ HEADLINE_MEMORY_KILL, "EXC_RESOURCE -> ",
	  " exceeded mem limit: ", read_exceeded },
	{ HEADLINE_MEMORY_KILL, "memorystatus: killing", "] (", read_killing },
	{ HEADLINE_ASSERTION, "*** Assertion failure in ", NULL, read_reason },
	{ HEADLINE_ASSERTION, "Assertion failure in -[", ".m", read_failure },
	{ HEADLINE_ASSERTION, "Assertion failure in +[", ".m", read_failure },
	{ HEADLINE_ASSERTION, "Assertion failed: (", ", function ",
	  read_assert },
	{ HEADLINE_PANIC, "panic(cpu ", " caller 0x", read_message },
	{ HEADLINE_SWIFT, "Could not cast value of type '", " to '",
	  read_message },
	{ HEADLINE_SWIFT, "Simultaneous accesses to 0x", NULL, read_message },
	{ HEADLINE_SWIFT, "Fatal access conflict detected", NULL,
	  read_message },
	{ HEADLINE_SWIFT, "Fatal error: ", NULL, read_fatal },
	{ HEADLINE_SWIFT, "fatal error: ", NULL, read_old_fatal },
	{ HEADLINE_GO, "fatal error: ", NULL, read_go_fatal },
	{ HEADLINE_GO, "panic: ", NULL, read_go_panic },
	{ HEADLINE_DYLD, "dyld", NULL, read_dyld },
	{ HEADLINE_KOTLIN, "Uncaught Kotlin exception: ", NULL, read_typed },
	{ HEADLINE_KOTLIN, "Uncaught exception: kotlin", NULL, read_message },
	{ HEADLINE_RUST, "thread '", NULL, read_rust },
	{ HEADLINE_RUST, "thread <unnamed> panicked at ", NULL, read_message },
	{ HEADLINE_RUST, "fatal runtime error: ", NULL, read_rust_fatal },
	{ HEADLINE_RUST, "memory allocation of ", " bytes failed",
	  read_message },
	{ HEADLINE_DOTNET, "Unhandled exception. ", NULL, read_dotnet },
	{ HEADLINE_DOTNET, "Fatal error. ", NULL, read_dotnet_fatal },
	{ HEADLINE_DOTNET, "Unhandled Exception:", NULL, read_alone },
	{ HEADLINE_DOTNET, "[ERROR] FATAL UNHANDLED EXCEPTION: ", NULL,
	  read_typed },
	{ HEADLINE_MONO, "Got a SIG", " while executing native code",
	  read_message },
	{ HEADLINE_DOTNET, "Unhandled Exception: ", ".", read_dotted },
	{ HEADLINE_MONO, "* Assertion at ", ", condition `", read_message },
	{ HEADLINE_DART, "Unhandled Exception: ", NULL, read_dart },
	{ HEADLINE_DART, "===== CRASH =====", NULL, read_empty },
	{ HEADLINE_DART, "Unhandled exception: ", NULL, read_dart },
	{ HEADLINE_DART, "*** *** *** *** *** *** *** ***", NULL,
	  read_doubtful },
	{ HEADLINE_DART,
	  "\xe2\x95\x90\xe2\x95\x90\xe2\x95\xa1 EXCEPTION CAUGHT BY ", NULL,
	  read_empty },
	{ HEADLINE_DOTNET, "Unhandled managed exception: ", NULL, read_reason },
	{ HEADLINE_JAVASCRIPT, "Unhandled JS Exception: ", NULL,
	  read_unhandled_js },
	{ HEADLINE_SANITIZER, "==", "Sanitizer: ", read_sanitizer },
	{ HEADLINE_SANITIZER, "WARNING: ThreadSanitizer: ", NULL,
	  read_message },
	{ HEADLINE_SANITIZER, "SUMMARY: ", "Sanitizer: ", read_summary },
};

/** `==612==ERROR: ` and the like end the process; warnings do not. */
static void set_sanitizer(struct headline *ret)
{
	static const char warning[] = "WARNING: ThreadSanitizer: ";

	if (ret->kind != HEADLINE_SANITIZER)
		return;
	ret->ends_process = text_find(ret->message, "ERROR: ") != TEXT_NOWHERE;
	if (!text_starts(ret->message, warning))
		return;
	ret->name = text_from("ThreadSanitizer");
	ret->reason = text_after(ret->message, strlen(warning));
}

static bool match_row(const struct row *row, struct headline *ret)
{
	struct text rest = ret->message;

	if (!text_take(&rest, row->begins) ||
	    (row->holds && text_find(rest, row->holds) == TEXT_NOWHERE))
		return false;
	ret->kind = row->kind;
	return row->read(rest, ret);
}

/** `App/File.swift:12: Fatal error: …`, and the other checks of Swift. */
static bool match_swift_file(struct headline *ret)
{
	static const char *const words[] = {
		": Fatal error",
		": Precondition failed",
		": Assertion failed",
		": Fatal access conflict",
	};
	struct text in = ret->message;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t at = text_find(in, words[i]);

		// Assemblers and others print this about their files.
		if (at == TEXT_NOWHERE ||
		    !read_place(text_first(in, at), ret) ||
		    !text_ends(ret->file, ".swift"))
			continue;
		ret->kind = HEADLINE_SWIFT;
		ret->reason = text_trim(text_after(in, at + 2));
		text_take(&ret->reason, "Fatal error: ");
		return true;
	}
	ret->file = TEXT_NONE;
	ret->line = 0;
	return false;
}

/** UBSan: `feed.cpp:11:5: runtime error: …`. */
static bool match_ubsan(struct headline *ret)
{
	static const char said[] = ": runtime error: ";
	size_t at = text_find(ret->message, said);
	size_t colon = text_find_last_char(text_first(ret->message, at), ':');

	if (at == TEXT_NOWHERE || colon == TEXT_NOWHERE ||
	    !read_place(text_first(ret->message, colon), ret))
		return false;
	ret->kind = HEADLINE_SANITIZER;
	ret->name = text_from("UndefinedBehaviorSanitizer");
	return read_reason(text_after(ret->message, at + strlen(said)), ret);
}

/** `Acme(612,0x1f) malloc: *** error for object 0x60: …`. */
static bool match_malloc(struct headline *ret)
{
	static const char *const words[] = {
		"malloc: *** error",
		"malloc: double free for ptr 0x",
		"malloc: Double free of object 0x",
		"malloc: Heap corruption detected",
		"malloc: Incorrect checksum for freed object",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t at = text_find(ret->message, words[i]);

		if (at == TEXT_NOWHERE ||
		    (at && !text_ends(text_first(ret->message, at), ") ")))
			continue;
		ret->kind = HEADLINE_MEMORY;
		return read_message(ret->message, ret);
	}
	return false;
}

/**
 * Is @p name that of an error of JavaScript, or of an exception of .NET?
 * Debuggers put the latter in braces, with its trace.
 */
static bool match_type(struct headline *ret)
{
	struct text in = ret->message;
	bool is_braced = text_take(&in, "{");
	size_t size = type_size(in);
	struct text name = text_first(in, size);

	if (!size || size + 1 >= in.size || in.data[size] != ':' ||
	    in.data[size + 1] != ' ' ||
	    (is_braced && !text_ends(name, "Exception")) ||
	    headline_words_begin(WORDS_JAVA, name))
		return false;
	if (text_ends(name, "Exception"))
		ret->kind = HEADLINE_DOTNET;
	else if (text_ends(name, "Error"))
		ret->kind = HEADLINE_JAVASCRIPT;
	else
		return false;
	ret->message = in;
	read_typed(ret->message, ret);
	// Else the frames must show the language.
	ret->needs_frames = !headline_words_dotnet(name) &&
	                    !headline_words_javascript(ret->reason);
	return true;
}

/** Is there a colon, a blank, and one of the words after it? */
static bool holds_mark(struct text text)
{
	for (size_t at = 0; at + 2 < text.size; at++) {
		size_t step = text_find_char(text_after(text, at), ':');

		if (step == TEXT_NOWHERE || at + step + 2 >= text.size)
			return false;
		at += step;
		if (text.data[at + 1] == ' ' && text.data[at + 2] &&
		    strchr("FPA*rdDHI", text.data[at + 2]))
			return true;
	}
	return false;
}

/** `Thread 1: `, shown by Xcode at the failing line. */
static void take_thread(struct headline *ret)
{
	struct text rest = ret->message;

	if (!text_take(&rest, "Thread "))
		return;
	if (text_take_digits(&rest).size &&
	    text_starts(rest, ": Fatal error: "))
		ret->message = text_after(rest, 2);
}

/** `134.123 memorystatus: …`: seconds since boot. */
static void take_uptime(struct headline *ret)
{
	struct text rest = ret->message;

	while (rest.size &&
	       (text_is_digit(rest.data[0]) || rest.data[0] == '.'))
		rest = text_after(rest, 1);
	if (rest.data != ret->message.data &&
	    text_starts(rest, " memorystatus: "))
		ret->message = text_after(rest, 1);
}

/** Is there a number after `time allowance of `? */
static bool has_allowance(struct text in)
{
	static const char said[] = " time allowance of ";
	size_t at = text_find(in, said);
	struct text rest = text_after(in, at + strlen(said));

	return at != TEXT_NOWHERE && text_find(in, " exhausted ") < at &&
	       rest.size && text_is_digit(rest.data[0]);
}

/** `<com.example.demo>:612 exhausted …` */
static void take_watched(struct text rest, struct headline *ret)
{
	size_t open = text_find_char(rest, '<');
	struct text inside = text_after(rest, open + 1);
	size_t close = text_find(inside, ">:");
	struct text pid = text_after(inside, close + 2);

	ret->prefix.process = TEXT_NONE;
	ret->prefix.has_pid = false;
	if (open == TEXT_NOWHERE || close == TEXT_NOWHERE)
		return;
	ret->prefix.process = text_first(inside, close);
	pid = text_first(pid, text_find_char(pid, ' '));
	ret->prefix.has_pid = number_decimal(pid, &ret->prefix.pid);
}

/**
 * `scene-update watchdog transgression: application<ID>:612 exhausted real
 * (wall clock) time allowance of 10.00 seconds`: the system's message about
 * another process.
 *
 * @param is_anywhere  Allow other words before it.
 */
static bool match_watchdog(struct headline *ret, bool is_anywhere)
{
	static const char said[] = " watchdog transgression: ";
	size_t at = text_find(ret->message, said);
	struct text rest = text_after(ret->message, at + strlen(said));
	size_t start = at;

	if (at == TEXT_NOWHERE || !has_allowance(rest))
		return false;
	while (start && (text_is_alnum(ret->message.data[start - 1]) ||
	                 ret->message.data[start - 1] == '-'))
		start--;
	if (start == at || (start && !is_anywhere))
		return false;
	take_watched(rest, ret);
	ret->kind = HEADLINE_WATCHDOG;
	ret->message = text_after(ret->message, start);
	return read_message(ret->message, ret);
}

static bool match(struct headline *ret)
{
	take_thread(ret);
	take_uptime(ret);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct headline at;

		// Most lines begin like no row.
		if (rows[i].begins[0] != ret->message.data[0] ||
		    !text_starts(ret->message, rows[i].begins))
			continue;
		at = *ret;
		if (!match_row(&rows[i], &at))
			continue;
		*ret = at;
		return true;
	}
	return (holds_mark(ret->message) &&
	        (match_swift_file(ret) || match_malloc(ret) ||
	         match_ubsan(ret))) ||
	       match_watchdog(ret, ret->prefix.size > 0) || match_type(ret);
}

/** Set the properties of its kind. */
static void set_properties(struct headline *ret)
{
	ret->word = kinds[ret->kind].word;
	ret->ends_process = kinds[ret->kind].ends_process;
	ret->is_apple = kinds[ret->kind].is_apple;
	set_sanitizer(ret);
}

/** The size of the character at the front of @p text if it is a pictograph. */
static size_t pictograph_size(struct text text)
{
	const unsigned char *at = (const unsigned char *)text.data;

	// U+1F000 and above; the selector of a variant, and the joiner.
	if (text.size >= 4 && at[0] == 0xf0 && at[1] == 0x9f)
		return 4;
	if (text_starts(text, "\xef\xb8\x8f") ||
	    text_starts(text, "\xe2\x80\x8d"))
		return 3;
	// U+2190 to U+2BFF without the lines of boxes, U+2500 to U+259F.
	if (text.size < 3 || at[0] != 0xe2 || at[1] < 0x86 || at[1] > 0xaf ||
	    at[1] == 0x94 || at[1] == 0x95 || at[1] == 0x96)
		return 0;
	return 3;
}

/** Apps mark lines with them, before the time or before the message. */
static struct text after_pictographs(struct text text)
{
	struct text rest = text;
	size_t size;

	while ((size = pictograph_size(rest)))
		rest = text_after(rest, size);
	return rest.data == text.data ? text : text_trim_left(rest);
}

/** `dyld` is not a process: the prefix belongs to the message. */
static void keep_dyld(struct headline *ret)
{
	const char *name = ret->prefix.process.data;

	if (!text_is(ret->prefix.process, "dyld"))
		return;
	ret->message.size += (size_t)(ret->message.data - name);
	ret->message.data = name;
	ret->prefix.process = TEXT_NONE;
	ret->prefix.has_pid = false;
}

bool headline_find(struct text line, struct headline *ret)
{
	struct headline found = {
		.message = TEXT_NONE,
		.name = TEXT_NONE,
		.reason = TEXT_NONE,
		.file = TEXT_NONE,
	};

	line = after_pictographs(text_trim_right(text_first(line, LOOK_BYTES)));
	found.prefix = log_prefix_of(line);
	found.message = text_trim_left(text_after(line, found.prefix.size));
	// Indented, and without a time: a quotation, or a source.
	if (!found.prefix.size && found.message.data != line.data)
		return false;
	found.message = after_pictographs(found.message);
	found.before = (size_t)(found.message.data - line.data);
	keep_dyld(&found);
	if (!found.message.size || !match(&found))
		return false;
	set_properties(&found);
	*ret = found;
	return true;
}

/** `*** -[Cart pay]: message sent to deallocated instance 0x60`. */
static bool match_zombie(struct headline *ret)
{
	static const char said[] = "]: message sent to deallocated instance 0x";
	size_t end = text_find(ret->message, said);
	size_t at = text_find_last(text_first(ret->message, end), "*** ");
	struct text rest = text_after(ret->message, at + strlen("*** "));

	if (end == TEXT_NOWHERE || at == TEXT_NOWHERE ||
	    (!text_starts(rest, "-[") && !text_starts(rest, "+[")))
		return false;
	ret->kind = HEADLINE_ZOMBIE;
	ret->message = text_after(ret->message, at);
	return read_message(ret->message, ret);
}

bool headline_find_within_line(struct text line, struct headline *ret)
{
	struct headline found = {
		.message = text_trim(text_first(line, LOOK_BYTES)),
		.name = TEXT_NONE,
		.reason = TEXT_NONE,
		.file = TEXT_NONE,
	};

	found.prefix.process = TEXT_NONE;
	if (!match_zombie(&found) && !match_watchdog(&found, true))
		return false;
	set_properties(&found);
	*ret = found;
	return true;
}

bool headline_within(struct text in)
{
	struct headline headline = { 0 };
	struct text line;

	while (text_next_line(&in, &line))
		if (headline_find(line, &headline) && !headline.needs_frames)
			return true;
	return false;
}

const char *headline_word(enum headline_kind kind)
{
	return kinds[kind].word;
}
