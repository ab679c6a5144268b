// SPDX-License-Identifier: MIT
#include "parsers/text/trace_line.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/darwin/system_images.h"

#include <string.h>

// Places

/** `FILE:12:5`, `FILE:12`; the line is the first of two numbers. */
static bool take_place(struct text place, struct trace_line *ret)
{
	size_t colon = text_find_last_char(place, ':');
	struct text file = text_first(place, colon);
	uint64_t number;
	uint64_t line;
	size_t before;

	if (colon == TEXT_NOWHERE || !colon ||
	    !number_decimal(text_after(place, colon + 1), &number))
		return false;
	before = text_find_last_char(file, ':');
	if (before != TEXT_NOWHERE && before &&
	    number_decimal(text_after(file, before + 1), &line)) {
		file = text_first(file, before);
		number = line;
	}
	ret->file = file;
	ret->line = number;
	return true;
}

/** A number of digits, then @p end. */
static bool take_index(struct text *rest, const char *end,
                       struct trace_line *ret)
{
	if (!number_decimal(text_take_digits(rest), &ret->index))
		return false;
	ret->has_index = true;
	return text_take(rest, end);
}

static bool take_address(struct text *rest, struct trace_line *ret)
{
	if (!number_take_hex(rest, &ret->address))
		return false;
	ret->has_address = true;
	return true;
}

// JavaScript

/** `onPress (src/Cart.tsx:120:30)`, indented, below Metro's "Call Stack". */
static bool is_metro(struct text rest)
{
	size_t open = text_find(rest, " (");

	return open != TEXT_NOWHERE && text_ends(rest, ")") &&
	       text_find_char(text_first(rest, open), ' ') == TEXT_NOWHERE &&
	       text_count_char(text_after(rest, open), ':') >= 2;
}

/** `at f (address at main.jsbundle:1:425231)`, `at f (native)`. */
static bool parse_hermes(struct text line, struct trace_line *ret)
{
	struct text rest = text_trim(line);
	size_t open;
	struct text inside;

	if (rest.data == line.data ||
	    (!text_take(&rest, "at ") && !is_metro(rest)))
		return false;
	open = text_find_last(rest, " (");
	if (open == TEXT_NOWHERE || !text_ends(rest, ")")) {
		// No function: `at main.jsbundle:1:12`.
		ret->is_own = take_place(rest, ret) &&
		              text_count_char(rest, ' ') == 0;
		return ret->is_own;
	}
	ret->symbol = text_trim(text_first(rest, open));
	inside = text_first(text_after(rest, open + 2), rest.size - open - 3);
	if (text_is(inside, "native") || text_is(inside, "native code"))
		return true;
	ret->is_decisive = text_take(&inside, "address at ");
	ret->is_own = take_place(inside, ret);
	return ret->is_own;
}

/** A bundle as JavaScriptCore names it, of a function without a name. */
static bool is_bundle(struct text file)
{
	return text_ends(file, ".jsbundle") || text_ends(file, ".bundle");
}

/** `25:3724`: the line and the column of the only script. */
static bool is_bare_place(struct text place)
{
	size_t colon = text_find_char(place, ':');
	uint64_t number;

	return colon != TEXT_NOWHERE &&
	       number_decimal(text_first(place, colon), &number) &&
	       number_decimal(text_after(place, colon + 1), &number);
}

/**
 * `onPress@main.jsbundle:423:1234`, `[native code]`, `main.jsbundle:423:1`.
 * `value@25:3724` is kept as the name: the bundle has no name.
 */
static bool parse_jsc(struct text line, struct trace_line *ret)
{
	struct text rest = text_trim(line);
	size_t at = text_find_char(rest, '@');
	struct text place = text_after(rest, at + 1);

	if (text_is(rest, "[native code]")) {
		ret->symbol = rest;
		return true;
	}
	if (at == TEXT_NOWHERE) {
		ret->is_own = text_find_char(rest, ' ') == TEXT_NOWHERE &&
		              take_place(rest, ret) && is_bundle(ret->file);
		return ret->is_own;
	}
	ret->symbol = text_first(rest, at);
	if (text_is(place, "[native code]"))
		return true;
	if (text_find_char(rest, ' ') != TEXT_NOWHERE)
		return false;
	ret->is_own = is_bare_place(place);
	if (ret->is_own)
		ret->symbol = rest;
	else
		ret->is_own = take_place(place, ret);
	return ret->is_own;
}

static bool parse_javascript(struct text line, struct trace_line *ret)
{
	const struct trace_line none = *ret;

	if (!parse_hermes(line, ret)) {
		*ret = none;
		if (!parse_jsc(line, ret))
			return false;
	}
	ret->is_own = ret->is_own &&
	              text_find(ret->file, "node_modules/") == TEXT_NOWHERE;
	return true;
}

// Dart

/** `#00 abs 0000000102ff04a0 virt 00000000000104a0 _kDart…+0x4a0`. */
static bool parse_dart_native(struct text rest, struct trace_line *ret)
{
	struct text word;

	if (!text_take(&rest, "abs ") || !text_next_word(&rest, &word) ||
	    word.size > 16 || !number_hex(word, &ret->address))
		return false;
	ret->has_address = true;
	ret->is_decisive = true;
	rest = text_trim_left(rest);
	if (text_take(&rest, "virt "))
		text_next_word(&rest, &word);
	ret->symbol = text_trim(rest);
	ret->is_own = text_starts(ret->symbol, "_kDartIsolateSnapshot");
	return true;
}

/** A file of Dart with its line; its package shows the owner. */
static bool take_dart_place(struct text place, struct trace_line *ret)
{
	ret->is_decisive = text_starts(place, "package:") ||
	                   text_starts(place, "dart:");
	ret->is_own = text_starts(place, "package:") &&
	              !text_starts(place, "package:flutter/") &&
	              !text_starts(place, "package:flutter_");
	return ret->is_decisive && take_place(place, ret);
}

/** `Cart.pay`, `new Cart`, `Cart.pay.<anonymous closure>`: no sentence. */
static bool is_dart_name(struct text name)
{
	static const char closure[] = "<anonymous closure>";

	text_take(&name, "new ");
	if (text_ends(name, closure))
		name = text_first(name, name.size - strlen(closure));
	return name.size && text_find_char(name, ' ') == TEXT_NOWHERE &&
	       (text_is_letter(name.data[0]) || name.data[0] == '_');
}

/** `#0      main (package:app/main.dart:12:5)`; IDEs put the place below. */
static bool parse_dart(struct text line, struct trace_line *ret)
{
	struct text rest = text_trim(line);
	size_t open;

	// `pc 0x… fp 0x… Dart_Run+0x10`, of a crash of the virtual machine.
	if (text_take(&rest, "pc ") && take_address(&rest, ret) &&
	    text_take(&rest, " fp ")) {
		open = text_find_char(rest, ' ');
		ret->symbol = text_trim(text_after(rest, open));
		ret->is_decisive = true;
		return open != TEXT_NOWHERE;
	}
	if (!text_starts(rest, "#")) {
		ret->is_place = true;
		return take_dart_place(rest, ret) &&
		       text_ends(ret->file, ".dart");
	}
	if (!text_take(&rest, "#") || !take_index(&rest, " ", ret))
		return false;
	rest = text_trim_left(rest);
	if (parse_dart_native(rest, ret))
		return true;
	open = text_find_last(rest, " (");
	if (open == TEXT_NOWHERE) {
		ret->symbol = rest;
		return is_dart_name(rest);
	}
	if (!text_ends(rest, ")"))
		return false;
	ret->symbol = text_trim(text_first(rest, open));
	return take_dart_place(
	        text_first(text_after(rest, open + 2), rest.size - open - 3),
	        ret);
}

// .NET, Mono, Unity

/** Namespaces of the runtime and its system bindings. */
static const char *const dotnet_foreign[] = {
	"System.",         "Microsoft.",
	"UnityEngine.",    "UnityEngineInternal.",
	"UnityEditor.",    "Foundation.",
	"UIKit.",          "ObjCRuntime.",
	"AppKit.",         "Mono.",
	"CoreFoundation.", "(wrapper ",
	"Interop.",        "Internal.",
	"Xamarin.",        "CommunityToolkit.",
};

static bool is_foreign(struct text symbol, const char *const *list,
                       size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_starts(symbol, list[i]))
			return true;
	return false;
}

/** Split ` in FILE:line 20`, ` [0x00012] in FILE:42 ` off the method. */
static void cut_dotnet_place(struct text *rest, struct trace_line *ret)
{
	static const char in[] = " in ", numbered[] = ":line ";
	size_t at = text_find_last(*rest, in);
	struct text place = text_trim(text_after(*rest, at + strlen(in)));
	size_t line = text_find_last(place, numbered);
	size_t brace = text_find_char(text_after(place, line), '}');
	size_t offset;

	if (at == TEXT_NOWHERE)
		return;
	// A debugger closes the brace that it put before the exception.
	if (line != TEXT_NOWHERE && brace != TEXT_NOWHERE)
		place = text_first(place, line + brace);
	if (line != TEXT_NOWHERE &&
	    number_decimal(text_after(place, line + strlen(numbered)),
	                   &ret->line)) {
		ret->file = text_first(place, line);
		ret->is_decisive = true;
	} else if (take_place(place, ret) && text_starts(ret->file, "<")) {
		// A hash of the assembly in place of a file.
		ret->file = TEXT_NONE;
		ret->line = 0;
	}
	*rest = text_first(*rest, at);
	offset = text_find_last(*rest, " [0x");
	if (offset == TEXT_NOWHERE)
		return;
	ret->is_decisive = true;
	*rest = text_first(*rest, offset);
}

/** `Cart:Pay(Int32) (at Assets/Cart.cs:12)`, as Unity logs it. */
static bool parse_unity(struct text line, struct trace_line *ret)
{
	static const char at[] = " (at ";
	struct text rest = text_trim_right(line);
	size_t place = text_find_last(rest, at);
	size_t open;

	if (place != TEXT_NOWHERE && text_ends(rest, ")")) {
		struct text inside = text_after(rest, place + strlen(at));

		if (!take_place(text_first(inside, inside.size - 1), ret))
			return false;
		ret->is_decisive = true;
		rest = text_first(rest, place);
	}
	open = text_find_char(rest, '(');
	if (open == TEXT_NOWHERE || !text_ends(rest, ")"))
		return false;
	ret->symbol = text_trim(text_first(rest, open));
	return text_find_char(ret->symbol, ':') != TEXT_NOWHERE &&
	       text_find_char(ret->symbol, ' ') == TEXT_NOWHERE;
}

static bool is_dotnet_own(struct text symbol)
{
	return !is_foreign(symbol, dotnet_foreign, ARRAY_SIZE(dotnet_foreign));
}

/** `   at MyApp.ViewModel.Load() in /x/ViewModel.cs:line 20`. */
static bool parse_dotnet(struct text line, struct trace_line *ret)
{
	struct text rest = text_trim(line);
	size_t open;

	if (rest.data == line.data && parse_unity(line, ret)) {
		ret->is_own = is_dotnet_own(ret->symbol);
		return true;
	}
	if (rest.data == line.data || !text_take(&rest, "at "))
		return false;
	cut_dotnet_place(&rest, ret);
	open = text_find_char(rest, '(');
	if (text_starts(rest, "(wrapper "))
		open = rest.size;
	if (open == TEXT_NOWHERE || !open ||
	    text_find(rest, ".java:") != TEXT_NOWHERE ||
	    text_find(rest, ".kt:") != TEXT_NOWHERE)
		return false;
	ret->symbol = text_trim(text_first(rest, open));
	ret->is_own = is_dotnet_own(ret->symbol);
	return ret->symbol.size > 0;
}

/** `\t0x100e80a0c - /private/…/Demo.app/Demo : symbol`. */
static bool parse_mono(struct text line, struct trace_line *ret)
{
	struct text rest = text_trim(line);
	size_t colon;

	if (!take_address(&rest, ret) || !text_take(&rest, " - "))
		return parse_dotnet(line, ret);
	colon = text_find_last(rest, " :");
	ret->image = text_trim(text_first(rest, colon));
	ret->symbol = text_trim(text_after(rest, colon + 2));
	if (text_is(ret->symbol, "<redacted>"))
		ret->symbol = TEXT_NONE;
	ret->is_own = text_find(ret->image, ".app/") != TEXT_NOWHERE &&
	              !text_starts(ret->symbol, "mono_");
	return ret->image.size > 0;
}

// Go

/** `main.crash(...)`, and below it a TAB, `/x/main.go:10 +0x20`. */
static bool parse_go(struct text line, struct trace_line *ret)
{
	struct text rest = text_trim_right(line);
	size_t open;

	if (text_starts(rest, "\t") || text_starts(rest, "    ")) {
		size_t plus = text_find_last(rest, " +0x");

		ret->is_place = true;
		return take_place(text_trim(text_first(rest, plus)), ret) &&
		       text_ends(ret->file, ".go");
	}
	if (text_take(&rest, "created by ")) {
		size_t in = text_find(rest, " in goroutine ");

		ret->symbol = text_first(rest, in);
	} else {
		open = text_find_last_char(rest, '(');
		if (open == TEXT_NOWHERE || !text_ends(rest, ")") || !open)
			return false;
		ret->symbol = text_first(rest, open);
	}
	// `(*T).run`, but no sentence.
	if (text_find_char(ret->symbol, ' ') != TEXT_NOWHERE ||
	    text_find_char(ret->symbol, '.') == TEXT_NOWHERE)
		return text_is(ret->symbol, "panic");
	ret->is_own = !text_starts(ret->symbol, "runtime.") &&
	              !text_starts(ret->symbol, "runtime/") &&
	              !text_starts(ret->symbol, "reflect.") &&
	              !text_starts(ret->symbol, "syscall.") &&
	              !text_starts(ret->symbol, "golang.org/x/mobile");
	return true;
}

// Rust

static const char *const rust_foreign[] = {
	"std::",    "core::",  "alloc::", "rust_", "__rust",
	"<alloc::", "<core::", "<std::",  "_rust", "backtrace::",
};

/** `  3: panic::main`, `  1:  0x100e80ab0 - std::…`, `  at ./main.rs:4:5`. */
static bool parse_rust(struct text line, struct trace_line *ret)
{
	struct text rest = text_trim(line);

	if (rest.data != line.data && text_take(&rest, "at ")) {
		ret->is_place = true;
		return take_place(rest, ret);
	}
	if (rest.data == line.data || !take_index(&rest, ":", ret) ||
	    !text_count_blanks(rest))
		return false;
	rest = text_trim(rest);
	if (take_address(&rest, ret)) {
		if (!text_take(&rest, " - "))
			return false;
		ret->is_decisive = true;
	}
	ret->symbol = text_trim(rest);
	if (text_is(ret->symbol, "<unknown>"))
		ret->symbol = TEXT_NONE;
	ret->is_own = ret->symbol.size && !is_foreign(ret->symbol, rust_foreign,
	                                              ARRAY_SIZE(rust_foreign));
	return true;
}

// Sanitizers

/** `(Demo:arm64+0x10000ab4)` at the end of a line. */
static bool cut_module(struct text *rest, struct trace_line *ret)
{
	size_t open = text_find_last(*rest, "(");
	struct text inside = text_after(*rest, open + 1);
	size_t plus = text_find_last(inside, "+0x");
	size_t colon;

	// `BuildId: …` may follow it.
	inside = text_first(inside, text_find_char(inside, ')'));
	if (open == TEXT_NOWHERE || plus == TEXT_NOWHERE)
		return false;
	if (!number_hex(text_after(inside, plus + 1), &ret->linked)) {
		// A truncated number does not belong to the name.
		*rest = text_trim_right(text_first(*rest, open));
		return false;
	}
	inside = text_first(inside, plus);
	colon = text_find_last_char(inside, ':');
	ret->image = text_first(inside, colon);
	if (colon != TEXT_NOWHERE)
		ret->arch = text_after(inside, colon + 1);
	ret->has_linked = true;
	*rest = text_trim_right(text_first(*rest, open));
	return true;
}

/** The last word, if it is `FILE:11` or `FILE:11:5`. */
static void cut_file(struct text *rest, struct trace_line *ret)
{
	size_t blank = text_find_last_char(*rest, ' ');

	if (blank == TEXT_NOWHERE ||
	    !take_place(text_after(*rest, blank + 1), ret))
		return;
	*rest = text_first(*rest, blank);
}

/** `#0 0x100e80a0c in demo::decode(Entry const&) feed.cpp:11`. */
static bool parse_sanitizer(struct text line, struct trace_line *ret)
{
	struct text rest = text_trim(line);
	size_t plus;
	bool has_module;

	if (!text_take(&rest, "#") || !take_index(&rest, " ", ret))
		return false;
	rest = text_trim_left(rest);
	// TSan prints no address: `#0 main feed.cpp:11 (Demo:arm64+0x…)`.
	if (take_address(&rest, ret))
		rest = text_trim_left(rest);
	has_module = cut_module(&rest, ret);
	if (text_take(&rest, "in ") || !ret->has_address) {
		cut_file(&rest, ret);
		plus = text_find_last(rest, "+0x");
		if (plus != TEXT_NOWHERE &&
		    text_find_char(text_after(rest, plus), ' ') == TEXT_NOWHERE)
			rest = text_first(rest, plus);
		ret->symbol = text_trim(rest);
	}
	if (!ret->has_address && !ret->file.size && !has_module)
		return false;
	ret->is_own = has_module ? text_find(ret->image, "libclang_rt") ==
	                                   TEXT_NOWHERE
	                         : ret->file.size > 0;
	return true;
}

// Table of grammars

static const struct {
	enum headline_kind kind;
	bool (*parse)(struct text line, struct trace_line *ret);
} grammars[] = {
	{ HEADLINE_JAVASCRIPT, parse_javascript },
	{ HEADLINE_DART, parse_dart },
	{ HEADLINE_DOTNET, parse_dotnet },
	{ HEADLINE_MONO, parse_mono },
	{ HEADLINE_GO, parse_go },
	{ HEADLINE_RUST, parse_rust },
	{ HEADLINE_SANITIZER, parse_sanitizer },
};

bool trace_line_has(enum headline_kind kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(grammars); i++)
		if (grammars[i].kind == kind)
			return true;
	return false;
}

static bool is_system_image(struct text image)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	return darwin_image_is_system(
	        arena_text(&arena, text_base_name(image)));
}

bool trace_line_parse(enum headline_kind kind, struct text line,
                      struct trace_line *ret)
{
	struct trace_line parsed = {
		.symbol = TEXT_NONE,
		.file = TEXT_NONE,
		.image = TEXT_NONE,
		.arch = TEXT_NONE,
	};

	for (size_t i = 0; i < ARRAY_SIZE(grammars); i++) {
		if (grammars[i].kind != kind)
			continue;
		if (!grammars[i].parse(line, &parsed))
			return false;
		if (parsed.line > UINT32_MAX)
			parsed.line = 0;
		if (parsed.image.size && is_system_image(parsed.image))
			parsed.is_own = false;
		*ret = parsed;
		return true;
	}
	return false;
}

/** Of a path of Windows, too: .NET is built there. */
static struct text file_name(struct text path)
{
	size_t at = text_find_last_char(path, '\\');

	return path.size > 2 && path.data[1] == ':' && at != TEXT_NOWHERE
	               ? text_after(path, at + 1)
	               : text_base_name(path);
}

static void set_place(struct report_call *call, const struct trace_line *line,
                      struct arena *arena)
{
	if (line->file.size) {
		call->path = arena_text(arena, line->file);
		call->file = arena_text(arena, file_name(line->file));
	}
	call->has_line = line->line > 0;
	call->line = (uint32_t)line->line;
}

bool trace_line_add(struct report_stack *stack, const struct trace_line *line,
                    struct text verbatim, struct arena *arena)
{
	struct report_frame *frame;
	struct report_call *call;

	if (line->is_place) {
		frame = stack->count ? &stack->frames[stack->count - 1] : NULL;
		if (frame && frame->call_count && !frame->calls[0].has_line) {
			set_place(&frame->calls[0], line, arena);
			frame->is_own |= line->is_own;
		}
		return true;
	}
	if (stack->count >= limit_get(LIMIT_FRAMES))
		return false;
	frame = report_add_frame(stack, arena);
	frame->address = line->address;
	frame->is_own = line->is_own;
	if (line->image.size)
		frame->image_name =
		        arena_text(arena, text_base_name(line->image));
	if (!line->symbol.size && !line->file.size) {
		frame->verbatim = arena_text(arena, text_trim(verbatim));
		return true;
	}
	call = arena_array(arena, 1, sizeof(*call));
	*call = (struct report_call){ 0 };
	if (line->symbol.size)
		call->symbol = arena_text(arena, line->symbol);
	call->verbatim = arena_text(arena, text_trim(verbatim));
	set_place(call, line, arena);
	frame->calls = call;
	frame->call_count = 1;
	frame->source = REPORT_SOURCE_REPORT;
	return true;
}
