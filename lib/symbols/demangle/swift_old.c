#include "lib/symbols/demangle/swift_old.h"

#include "lib/symbols/demangle/punycode.h"
#include "lib/symbols/demangle/swift_signature.h"

#include "lib/base/str.h"

#include <inttypes.h>
#include <string.h>

/** Levels of types in types. */
#define OLD_DEPTH_MAX 200u

static struct swift_node *read_type(struct swift_reader *r);
static struct swift_node *read_type_inside(struct swift_reader *r);
static struct swift_node *read_entity(struct swift_reader *r);
static struct swift_node *read_context(struct swift_reader *r);
static struct swift_node *read_signature(struct swift_reader *r,
                                         enum swift_kind kind);

static bool take(struct swift_reader *r, const char *word)
{
	size_t size = strlen(word);

	if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
		return false;
	r->at += size;
	return true;
}

/** The letters that a number announces, decoded where they are Punycode. */
static bool read_letters(struct swift_reader *r, bool is_punycode,
                         struct text *ret)
{
	char bytes[PUNYCODE_BYTES_MAX];
	uint64_t size;
	size_t decoded;
	char *data;

	if (!swift_natural(r, &size) || !size ||
	    size > (size_t)(r->end - r->at))
		return false;
	*ret = (struct text){ r->at, (size_t)size };
	r->at += size;
	if (!is_punycode)
		return true;
	if (!punycode_decode(*ret, bytes, &decoded) || !decoded)
		return false;
	data = swift_alloc(r->pool, decoded);
	memcpy(data, bytes, decoded);
	*ret = (struct text){ data, decoded };
	return true;
}

static struct swift_node *read_identifier(struct swift_reader *r,
                                          enum swift_kind kind)
{
	bool is_punycode = swift_next_is(r, 'X');
	bool is_operator = swift_next_is(r, 'o');
	struct text text;

	if (is_operator) {
		// Only the name of a declaration can be an operator.
		if (kind != SWIFT_IDENTIFIER)
			return NULL;
		switch (swift_next(r)) {
		case 'p':
			kind = SWIFT_PREFIX_OPERATOR;
			break;
		case 'P':
			kind = SWIFT_POSTFIX_OPERATOR;
			break;
		case 'i':
			kind = SWIFT_INFIX_OPERATOR;
			break;
		default:
			return NULL;
		}
	}
	if (!read_letters(r, is_punycode, &text))
		return NULL;
	if (is_operator && !swift_operator_name(r->pool, text, &text))
		return NULL;
	return swift_make_text(r, kind, text);
}

static struct swift_node *read_name(struct swift_reader *r)
{
	struct swift_node *first;

	if (swift_next_is(r, 'L')) {
		first = swift_index_node(r);
		return swift_make2(r, SWIFT_LOCAL_NAME, first,
		                   read_identifier(r, SWIFT_IDENTIFIER));
	}
	if (swift_next_is(r, 'P')) {
		first = read_identifier(r, SWIFT_IDENTIFIER);
		return swift_make2(r, SWIFT_PRIVATE_NAME, first,
		                   read_identifier(r, SWIFT_IDENTIFIER));
	}
	return read_identifier(r, SWIFT_IDENTIFIER);
}

static struct swift_node *stdlib(struct swift_reader *r)
{
	return swift_make_text(r, SWIFT_MODULE, text_from("Swift"));
}

/** The letters of Swift 3 differ in some from those of later ones. */
static bool old_standard_type(char letter, enum swift_kind *kind,
                              const char **name)
{
	static const char known[] = "abdfiVvPpqRrSu";

	if (letter == 'c' || letter == 'Q') {
		*kind = letter == 'c' ? SWIFT_STRUCTURE : SWIFT_ENUM;
		*name = letter == 'c' ? "UnicodeScalar"
		                      : "ImplicitlyUnwrappedOptional";
		return true;
	}
	return letter && strchr(known, letter) &&
	       swift_standard_type(letter, false, kind, name);
}

/** Behind `S`. */
static struct swift_node *read_substitution(struct swift_reader *r)
{
	enum swift_kind kind;
	const char *name;
	uint64_t at;

	if (swift_next_is(r, 'o'))
		return swift_make_text(r, SWIFT_MODULE, text_from("__C"));
	if (swift_next_is(r, 'C'))
		return swift_make_text(r, SWIFT_MODULE,
		                       text_from("__C_Synthesized"));
	if (old_standard_type(swift_peek(r), &kind, &name)) {
		struct swift_node *type;

		swift_next(r);
		type = swift_make_stdlib(r, kind, name);
		return type ? type->children[0] : NULL;
	}
	if (!swift_index(r, &at) || at >= r->substitutions.count)
		return NULL;
	return r->substitutions.items[at];
}

static struct swift_node *read_module(struct swift_reader *r)
{
	struct swift_node *module;

	if (swift_next_is(r, 's'))
		return stdlib(r);
	if (swift_next_is(r, 'S')) {
		module = read_substitution(r);
		return swift_is(module, SWIFT_MODULE) ? module : NULL;
	}
	return swift_substitute(r, read_identifier(r, SWIFT_MODULE));
}

static struct swift_node *read_declaration(struct swift_reader *r,
                                           enum swift_kind kind)
{
	struct swift_node *context = read_context(r);

	return context ? swift_substitute(
	                         r, swift_make2(r, kind, context, read_name(r)))
	               : NULL;
}

static struct swift_node *protocol_in(struct swift_reader *r,
                                      struct swift_node *context)
{
	return swift_substitute(
	        r, swift_make2(r, SWIFT_PROTOCOL, context, read_name(r)));
}

/** A substitution can be the protocol, or the module it lies in. */
static struct swift_node *read_protocol_inside(struct swift_reader *r)
{
	struct swift_node *found;

	if (swift_next_is(r, 'S')) {
		found = read_substitution(r);
		if (swift_is(found, SWIFT_PROTOCOL))
			return found;
		return swift_is(found, SWIFT_MODULE) ? protocol_in(r, found)
		                                     : NULL;
	}
	if (swift_next_is(r, 's'))
		return protocol_in(r, stdlib(r));
	return read_declaration(r, SWIFT_PROTOCOL);
}

static struct swift_node *read_protocol(struct swift_reader *r)
{
	return swift_make_type(r, read_protocol_inside(r));
}

static bool nominal_kind(char letter, enum swift_kind *kind)
{
	switch (letter) {
	case 'V':
		*kind = SWIFT_STRUCTURE;
		return true;
	case 'O':
		*kind = SWIFT_ENUM;
		return true;
	case 'C':
		*kind = SWIFT_CLASS;
		return true;
	case 'P':
		*kind = SWIFT_PROTOCOL;
		return true;
	default:
		return false;
	}
}

static struct swift_node *read_nominal(struct swift_reader *r)
{
	char letter = swift_next(r);
	enum swift_kind kind;

	if (letter == 'S')
		return read_substitution(r);
	return nominal_kind(letter, &kind) ? read_declaration(r, kind) : NULL;
}

static bool bound_kind(enum swift_kind kind, enum swift_kind *ret)
{
	*ret = kind == SWIFT_CLASS       ? SWIFT_BOUND_CLASS
	       : kind == SWIFT_STRUCTURE ? SWIFT_BOUND_STRUCTURE
	                                 : SWIFT_BOUND_ENUM;
	return kind == SWIFT_CLASS || kind == SWIFT_STRUCTURE ||
	       kind == SWIFT_ENUM;
}

/** Arguments for each level of a type, the outermost first. */
static struct swift_node *bind(struct swift_reader *r,
                               struct swift_node *nominal)
{
	struct swift_node *parent;
	struct swift_node *types = swift_make(r, SWIFT_TYPE_LIST);
	enum swift_kind kind;

	if (!nominal || !nominal->count)
		return NULL;
	parent = nominal->children[0];
	if (parent->kind != SWIFT_MODULE && parent->kind != SWIFT_FUNCTION &&
	    parent->kind != SWIFT_EXTENSION) {
		struct swift_node *copy =
		        swift_make1(r, nominal->kind, bind(r, parent));

		for (unsigned i = 1; copy && i < nominal->count; i++)
			copy = swift_add(r->pool, copy, nominal->children[i]);
		nominal = copy;
	}
	while (types && nominal && !swift_next_is(r, '_')) {
		types = swift_add(r->pool, types, read_type(r));
		if (r->at == r->end)
			return NULL;
	}
	if (!types || !nominal || !types->count)
		return nominal;
	if (!bound_kind(nominal->kind, &kind))
		return NULL;
	return swift_make2(r, kind, swift_make_type(r, nominal), types);
}

static struct swift_node *read_bound(struct swift_reader *r)
{
	return bind(r, read_nominal(r));
}

static struct swift_node *read_extension(struct swift_reader *r,
                                         bool is_constrained)
{
	struct swift_node *module = read_module(r);
	struct swift_node *signature = NULL;

	if (!module)
		return NULL;
	if (is_constrained) {
		signature = read_signature(r, SWIFT_SIGNATURE);
		if (!signature)
			return NULL;
	}
	return swift_add_any(
	        r, swift_make2(r, SWIFT_EXTENSION, module, read_context(r)),
	        signature);
}

static struct swift_node *read_context_inside(struct swift_reader *r)
{
	if (swift_next_is(r, 'E'))
		return read_extension(r, false);
	if (swift_next_is(r, 'e'))
		return read_extension(r, true);
	if (swift_next_is(r, 'S'))
		return read_substitution(r);
	if (swift_next_is(r, 's'))
		return stdlib(r);
	if (swift_next_is(r, 'G'))
		return read_bound(r);
	if (swift_peek(r) && strchr("FIivPsZCVO", swift_peek(r)))
		return read_entity(r);
	return read_module(r);
}

/** What a level of nesting reads; NULL where there are too many. */
static struct swift_node *nested(struct swift_reader *r, swift_operator read)
{
	struct swift_node *node = NULL;

	if (r->depth < OLD_DEPTH_MAX) {
		r->depth++;
		node = read(r);
		r->depth--;
	}
	return node;
}

static struct swift_node *read_context(struct swift_reader *r)
{
	return nested(r, read_context_inside);
}

static struct swift_node *read_protocol_list(struct swift_reader *r)
{
	struct swift_node *types = swift_make(r, SWIFT_TYPE_LIST);

	while (types && !swift_next_is(r, '_'))
		types = swift_add(r->pool, types, read_protocol(r));
	return swift_make1(r, SWIFT_PROTOCOL_LIST, types);
}

static struct swift_node *read_conformance(struct swift_reader *r)
{
	struct swift_node *type = read_type(r);
	struct swift_node *protocol = type ? read_protocol(r) : NULL;

	return protocol ? swift_make3(r, SWIFT_CONFORMANCE, type, protocol,
	                              read_context(r))
	                : NULL;
}

/** An accessor by its letters; false if there is none here. */
static bool take_accessor(struct swift_reader *r, enum swift_kind *kind)
{
	static const struct {
		const char *letters;
		enum swift_kind kind;
	} accessors[] = {
		{ "aO", SWIFT_OWNING_MUTABLE_ADDRESSOR },
		{ "ao", SWIFT_NATIVE_OWNING_MUTABLE_ADDRESSOR },
		{ "ap", SWIFT_NATIVE_PINNING_MUTABLE_ADDRESSOR },
		{ "au", SWIFT_UNSAFE_MUTABLE_ADDRESSOR },
		{ "lO", SWIFT_OWNING_ADDRESSOR },
		{ "lo", SWIFT_NATIVE_OWNING_ADDRESSOR },
		{ "lp", SWIFT_NATIVE_PINNING_ADDRESSOR },
		{ "lu", SWIFT_UNSAFE_ADDRESSOR },
		{ "g", SWIFT_GETTER },
		{ "G", SWIFT_GLOBAL_GETTER },
		{ "s", SWIFT_SETTER },
		{ "m", SWIFT_MATERIALIZE_FOR_SET },
		{ "w", SWIFT_WILL_SET },
		{ "W", SWIFT_DID_SET },
		{ "r", SWIFT_READ },
		{ "M", SWIFT_MODIFY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(accessors); i++) {
		if (!take(r, accessors[i].letters))
			continue;
		*kind = accessors[i].kind;
		return true;
	}
	return false;
}

/** `subscript` is a name here; later manglings have an operator for it. */
static bool is_subscript(struct swift_reader *r, struct swift_node **name)
{
	struct swift_node *found = *name;

	if (found->kind == SWIFT_IDENTIFIER &&
	    text_is(found->text, "subscript")) {
		*name = NULL;
		return true;
	}
	if (found->kind != SWIFT_PRIVATE_NAME || found->count < 2 ||
	    !text_is(found->children[1]->text, "subscript"))
		return false;
	*name = swift_make1(r, SWIFT_PRIVATE_NAME, found->children[0]);
	return true;
}

static struct swift_node *read_accessor(struct swift_reader *r,
                                        enum swift_kind kind,
                                        struct swift_node *context)
{
	struct swift_node *name = read_name(r);
	struct swift_node *of;
	bool subscript;

	if (!name)
		return NULL;
	subscript = is_subscript(r, &name);
	of = swift_make1(r, subscript ? SWIFT_SUBSCRIPT : SWIFT_VARIABLE,
	                 context);
	if (!subscript)
		of = swift_add(r->pool, of, name);
	of = swift_add(r->pool, of, read_type(r));
	if (subscript)
		of = swift_add_any(r, of, name);
	return swift_make1(r, kind, of);
}

/** Functions that a letter names. */
static bool take_unnamed(struct swift_reader *r, enum swift_kind *kind)
{
	static const struct {
		char letter;
		enum swift_kind kind;
	} kinds[] = {
		{ 'D', SWIFT_DEALLOCATOR },
		{ 'Z', SWIFT_ISOLATED_DEALLOCATOR },
		{ 'd', SWIFT_DESTRUCTOR },
		{ 'e', SWIFT_IVAR_INITIALIZER },
		{ 'E', SWIFT_IVAR_DESTROYER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!swift_next_is(r, kinds[i].letter))
			continue;
		*kind = kinds[i].kind;
		return true;
	}
	return false;
}

static struct swift_node *with_type(struct swift_reader *r,
                                    struct swift_node *node)
{
	return node ? swift_add(r->pool, node, read_type(r)) : NULL;
}

static struct swift_node *read_closure(struct swift_reader *r,
                                       enum swift_kind kind,
                                       struct swift_node *context)
{
	return with_type(r, swift_make2(r, kind, context, swift_index_node(r)));
}

/** What a declaration is called, behind its context. */
static struct swift_node *read_entity_in(struct swift_reader *r,
                                         enum swift_kind basic,
                                         struct swift_node *context)
{
	enum swift_kind kind;
	struct swift_node *name;

	if (take_unnamed(r, &kind))
		return swift_make1(r, kind, context);
	if (swift_next_is(r, 'C'))
		return with_type(r, swift_make1(r, SWIFT_ALLOCATOR, context));
	if (swift_next_is(r, 'c'))
		return with_type(r, swift_make1(r, SWIFT_CONSTRUCTOR, context));
	if (take_accessor(r, &kind))
		return read_accessor(r, kind, context);
	if (swift_next_is(r, 'U'))
		return read_closure(r, SWIFT_EXPLICIT_CLOSURE, context);
	if (swift_next_is(r, 'u'))
		return read_closure(r, SWIFT_IMPLICIT_CLOSURE, context);
	if (basic == SWIFT_INITIALIZER) {
		if (swift_next_is(r, 'A'))
			return swift_make2(r, SWIFT_DEFAULT_ARGUMENT, context,
			                   swift_index_node(r));
		return swift_next_is(r, 'i')
		               ? swift_make1(r, SWIFT_INITIALIZER, context)
		               : NULL;
	}
	name = read_name(r);
	if (basic == SWIFT_SUBSCRIPT && name) {
		if (!is_subscript(r, &name))
			return NULL;
		return swift_add_any(
		        r, with_type(r, swift_make1(r, basic, context)), name);
	}
	return with_type(r, swift_make2(r, basic, context, name));
}

static struct swift_node *read_entity_inside(struct swift_reader *r)
{
	bool is_static = swift_next_is(r, 'Z');
	enum swift_kind basic;
	struct swift_node *context;
	struct swift_node *entity;

	if (swift_next_is(r, 'F'))
		basic = SWIFT_FUNCTION;
	else if (swift_next_is(r, 'v'))
		basic = SWIFT_VARIABLE;
	else if (swift_next_is(r, 'I'))
		basic = SWIFT_INITIALIZER;
	else if (swift_next_is(r, 'i'))
		basic = SWIFT_SUBSCRIPT;
	else
		return read_nominal(r);
	context = read_context(r);
	if (!context)
		return NULL;
	entity = read_entity_in(r, basic, context);
	return is_static ? swift_make1(r, SWIFT_STATIC, entity) : entity;
}

static struct swift_node *read_entity(struct swift_reader *r)
{
	return nested(r, read_entity_inside);
}

/** The member of a type, with the protocol that declares it. */
static struct swift_node *read_member(struct swift_reader *r,
                                      struct swift_node *base)
{
	struct swift_node *name;
	struct swift_node *protocol = NULL;

	if (!base)
		return NULL;
	if (swift_next_is(r, 'S')) {
		name = read_substitution(r);
		if (!swift_is(name, SWIFT_ASSOCIATED_NAME))
			return NULL;
	} else {
		if (swift_next_is(r, 'P')) {
			protocol = read_protocol(r);
			if (!protocol)
				return NULL;
		}
		name = swift_make1(r, SWIFT_ASSOCIATED_NAME,
		                   read_identifier(r, SWIFT_IDENTIFIER));
		name = swift_substitute(r, swift_add_any(r, name, protocol));
	}
	return swift_make2(r, SWIFT_MEMBER_TYPE, base, name);
}

static struct swift_node *read_member_simple(struct swift_reader *r)
{
	return read_member(r,
	                   swift_make_type(r, swift_read_param_index(r, 'x')));
}

static struct swift_node *read_member_path(struct swift_reader *r)
{
	struct swift_node *base = swift_read_param_index(r, 'x');

	while (base && !swift_next_is(r, '_'))
		base = read_member(r, swift_make_type(r, base));
	return base;
}

static struct swift_node *read_dependent(struct swift_reader *r)
{
	char c = swift_peek(r);

	if (!c)
		return NULL;
	if (c != 'd' && c != '_' && !text_is_digit(c))
		return read_member(r, read_type(r));
	return swift_read_param_index(r, 'x');
}

static struct swift_node *read_constrained(struct swift_reader *r)
{
	if (swift_next_is(r, 'w'))
		return swift_make_type(r, read_member_simple(r));
	if (swift_next_is(r, 'W'))
		return swift_make_type(r, read_member_path(r));
	return swift_make_type(r, swift_read_param_index(r, 'x'));
}

static struct swift_node *add_natural(struct swift_reader *r,
                                      struct swift_node *to)
{
	uint64_t number;

	if (!swift_natural(r, &number))
		return NULL;
	return swift_add(r->pool, to,
	                 swift_make_number(r, SWIFT_NUMBER, number));
}

static struct swift_node *read_layout(struct swift_reader *r,
                                      struct swift_node *subject)
{
	struct text letter = { r->at, 1 };
	char c = swift_next(r);
	struct swift_node *node;

	if (!c || !strchr("URNTBEeMmS", c))
		return NULL;
	node = swift_make2(r, SWIFT_LAYOUT_REQUIREMENT, subject,
	                   swift_make_text(r, SWIFT_IDENTIFIER, letter));
	if (strchr("EeMmS", c))
		node = add_natural(r, node);
	if (strchr("EM", c))
		node = swift_next_is(r, '_') ? add_natural(r, node) : NULL;
	return node;
}

/** A class, or a protocol, that a type must be or conform to. */
static struct swift_node *read_constraint(struct swift_reader *r)
{
	struct swift_node *found;

	if (swift_peek(r) == 'C')
		return read_type(r);
	if (!swift_next_is(r, 'S'))
		return read_protocol(r);
	found = read_substitution(r);
	if (swift_is(found, SWIFT_MODULE))
		found = protocol_in(r, found);
	if (!swift_is(found, SWIFT_PROTOCOL) && !swift_is(found, SWIFT_CLASS))
		return NULL;
	return swift_make_type(r, found);
}

static struct swift_node *read_requirement(struct swift_reader *r)
{
	struct swift_node *subject = read_constrained(r);

	if (!subject)
		return NULL;
	if (swift_next_is(r, 'z'))
		return swift_make2(r, SWIFT_SAME_TYPE_REQUIREMENT, subject,
		                   read_type(r));
	if (swift_next_is(r, 'l'))
		return read_layout(r, subject);
	return swift_make2(r, SWIFT_CONFORMANCE_REQUIREMENT, subject,
	                   read_constraint(r));
}

static struct swift_node *add_count(struct swift_reader *r,
                                    struct swift_node *signature,
                                    uint64_t count)
{
	return swift_add(r->pool, signature,
	                 swift_make_number(r, SWIFT_PARAM_COUNT, count));
}

/** `_` is 1, `0_` is 2; what is too large for a number is only large. */
static bool read_count(struct swift_reader *r, uint64_t *ret)
{
	uint64_t count = 0;

	if (swift_next_is(r, '_')) {
		*ret = 1;
		return true;
	}
	if (!text_is_digit(swift_peek(r)))
		return false;
	while (text_is_digit(swift_peek(r))) {
		uint64_t digit = (uint64_t)(swift_next(r) - '0');

		if (count < SWIFT_NUMBER_MAX)
			count = 10 * count + digit;
	}
	*ret = count + 2;
	return swift_next_is(r, '_');
}

static struct swift_node *read_signature(struct swift_reader *r,
                                         enum swift_kind kind)
{
	struct swift_node *signature = swift_make(r, kind);

	while (signature && swift_peek(r) != 'R' && swift_peek(r) != 'r') {
		uint64_t count = 0;

		if (!swift_next_is(r, 'z') && !read_count(r, &count))
			return NULL;
		signature = add_count(r, signature, count);
	}
	if (signature && !signature->count)
		signature = add_count(r, signature, 1);
	if (swift_next_is(r, 'r'))
		return signature;
	swift_next(r);
	while (signature && !swift_next_is(r, 'r'))
		signature = swift_add(r->pool, signature, read_requirement(r));
	return signature;
}

static struct swift_node *associated_in(struct swift_reader *r,
                                        struct swift_node *root)
{
	if (!root)
		return NULL;
	return swift_substitute(
	        r, swift_make2(r, SWIFT_ASSOCIATED_TYPE_REF, root,
	                       read_identifier(r, SWIFT_IDENTIFIER)));
}

static struct swift_node *read_archetype(struct swift_reader *r)
{
	if (swift_next_is(r, 'Q'))
		return associated_in(r, nested(r, read_archetype));
	if (swift_next_is(r, 'S'))
		return associated_in(r, read_substitution(r));
	if (swift_next_is(r, 's'))
		return associated_in(r, stdlib(r));
	return NULL;
}

static struct swift_node *read_tuple(struct swift_reader *r, bool is_variadic)
{
	struct swift_node *tuple = swift_make(r, SWIFT_TUPLE);
	struct swift_node *element = NULL;

	while (tuple && !swift_next_is(r, '_')) {
		char c = swift_peek(r);

		element = swift_make(r, SWIFT_TUPLE_ELEMENT);
		if (text_is_digit(c) || c == 'o' || c == 'X')
			// A label, unless `X` begins a type.
			if (c != 'X' ||
			    (r->end - r->at > 1 && text_is_digit(r->at[1])))
				element = swift_add(
				        r->pool, element,
				        read_identifier(r, SWIFT_TUPLE_LABEL));
		element = swift_add(r->pool, element, read_type(r));
		tuple = swift_add(r->pool, tuple, element);
	}
	if (tuple && is_variadic && element &&
	    !swift_add(r->pool, element, swift_make(r, SWIFT_VARIADIC)))
		return NULL;
	return tuple;
}

static struct swift_node *read_function(struct swift_reader *r,
                                        enum swift_kind kind)
{
	struct swift_node *function = swift_make(r, kind);
	bool throws = swift_next_is(r, 'z');
	struct swift_node *arguments;
	char letter;

	if (swift_next_is(r, 'y'))
		function = swift_add(r->pool, function,
		                     swift_make(r, SWIFT_SENDABLE));
	if (swift_next_is(r, 'Z'))
		function = swift_add(r->pool, function,
		                     swift_make(r, SWIFT_ASYNC));
	if (swift_next_is(r, 'D')) {
		letter = swift_next(r);
		if (!letter || !strchr("frdl", letter))
			return NULL;
		function = swift_add(r->pool, function,
		                     swift_make_number(r, SWIFT_DIFFERENTIABLE,
		                                       (uint64_t)letter));
	}
	if (swift_next_is(r, 'Y'))
		function = swift_add(
		        r->pool, function,
		        swift_make1(r, SWIFT_GLOBAL_ACTOR, read_type(r)));
	if (throws)
		function = swift_add(r->pool, function,
		                     swift_make(r, SWIFT_THROWS));
	arguments = swift_make1(r, SWIFT_ARGUMENTS, read_type(r));
	function = swift_add(r->pool, function, arguments);
	if (!function)
		return NULL;
	return swift_add(r->pool, function,
	                 swift_make1(r, SWIFT_RESULT, read_type(r)));
}

static struct swift_node *read_sized(struct swift_reader *r, const char *prefix)
{
	SCOPED(str_release) struct str str = { 0 };
	uint64_t size;
	char *data;

	if (!swift_natural(r, &size) || !swift_next_is(r, '_'))
		return NULL;
	str_addf(&str, "%s%" PRIu64, prefix, size);
	data = swift_alloc(r->pool, str.size);
	memcpy(data, str.data, str.size);
	return swift_make_text(r, SWIFT_BUILTIN_NAME,
	                       (struct text){ data, str.size });
}

static struct swift_node *read_vector(struct swift_reader *r)
{
	SCOPED(str_release) struct str prefix = { 0 };
	uint64_t count;
	char *data;

	if (!swift_natural(r, &count) || !swift_next_is(r, 'B'))
		return NULL;
	str_addf(&prefix, "Builtin.Vec%" PRIu64 "x", count);
	if (swift_next_is(r, 'i')) {
		str_add(&prefix, "Int");
		return read_sized(r, str_cstr(&prefix));
	}
	if (swift_next_is(r, 'f')) {
		str_add(&prefix, "FPIEEE");
		return read_sized(r, str_cstr(&prefix));
	}
	if (!swift_next_is(r, 'p'))
		return NULL;
	str_add(&prefix, "RawPointer");
	data = swift_alloc(r->pool, prefix.size);
	memcpy(data, prefix.data, prefix.size);
	return swift_make_text(r, SWIFT_BUILTIN_NAME,
	                       (struct text){ data, prefix.size });
}

static struct swift_node *read_builtin(struct swift_reader *r)
{
	static const struct {
		char letter;
		const char *name;
	} names[] = {
		{ 'b', "Builtin.BridgeObject" },
		{ 'B', "Builtin.UnsafeValueBuffer" },
		{ 'O', "Builtin.UnknownObject" },
		{ 'o', "Builtin.NativeObject" },
		{ 'p', "Builtin.RawPointer" },
		{ 't', "Builtin.SILToken" },
		{ 'w', "Builtin.Word" },
	};

	if (swift_next_is(r, 'f'))
		return read_sized(r, "Builtin.FPIEEE");
	if (swift_next_is(r, 'i'))
		return read_sized(r, "Builtin.Int");
	if (swift_next_is(r, 'v'))
		return read_vector(r);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (swift_next_is(r, names[i].letter))
			return swift_make_text(r, SWIFT_BUILTIN_NAME,
			                       text_from(names[i].name));
	return NULL;
}

/** A letter and the word it stands for, where a value is passed. */
struct convention {
	char letter;
	const char *callee;
	const char *parameter;
	const char *result;
};

static const struct convention conventions[] = {
	{ 'a', NULL, NULL, "@autoreleased" },
	{ 'd', "@callee_unowned", "@unowned", "@unowned" },
	{ 'D', NULL, NULL, "@unowned_inner_pointer" },
	{ 'g', "@callee_guaranteed", "@guaranteed", NULL },
	{ 'e', NULL, "@deallocating", NULL },
	{ 'i', NULL, "@in", "@out" },
	{ 'l', NULL, "@inout", NULL },
	{ 'o', "@callee_owned", "@owned", "@owned" },
};

static const struct convention *take_convention(struct swift_reader *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(conventions); i++)
		if (swift_next_is(r, conventions[i].letter))
			return &conventions[i];
	return NULL;
}

static struct swift_node *add_word(struct swift_reader *r,
                                   struct swift_node *to, enum swift_kind kind,
                                   const char *word)
{
	return swift_add(r->pool, to,
	                 swift_make_text(r, kind, text_from(word)));
}

static struct swift_node *read_value(struct swift_reader *r,
                                     enum swift_kind kind)
{
	const struct convention *convention;
	const char *word;
	struct swift_node *value;

	if (kind == SWIFT_IMPL_RESULT && swift_next_is(r, 'z'))
		kind = SWIFT_IMPL_ERROR;
	convention = take_convention(r);
	if (!convention)
		return NULL;
	word = kind == SWIFT_IMPL_PARAM ? convention->parameter
	                                : convention->result;
	if (!word)
		return NULL;
	value = add_word(r, swift_make(r, kind), SWIFT_IMPL_CONVENTION, word);
	return value ? swift_add(r->pool, value, read_type(r)) : NULL;
}

static struct swift_node *add_lowered_attributes(struct swift_reader *r,
                                                 struct swift_node *type)
{
	static const struct {
		const char *letters;
		const char *word;
	} kinds[] = {
		{ "Cb", "block" },          { "Cc", "c" },
		{ "Cm", "method" },         { "CO", "objc_method" },
		{ "Cw", "witness_method" },
	};
	enum swift_kind kind = SWIFT_SIGNATURE;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (take(r, kinds[i].letters))
			type = add_word(r, type, SWIFT_IMPL_FUNCTION_CONVENTION,
			                kinds[i].word);
	if (swift_next_is(r, 'h'))
		type = add_word(r, type, SWIFT_IMPL_ATTRIBUTE, "@Sendable");
	if (swift_next_is(r, 'H'))
		type = add_word(r, type, SWIFT_IMPL_ATTRIBUTE, "@async");
	if (swift_peek(r) == 'g')
		kind = SWIFT_PSEUDOGENERIC_SIGNATURE;
	if (swift_next_is(r, 'G') || swift_next_is(r, 'g'))
		type = swift_add(r->pool, type, read_signature(r, kind));
	return type;
}

static struct swift_node *read_lowered(struct swift_reader *r)
{
	struct swift_node *type = swift_make(r, SWIFT_IMPL_FUNCTION);
	const char *word = "@convention(thin)";

	if (!swift_next_is(r, 't')) {
		const struct convention *convention = take_convention(r);

		word = convention ? convention->callee : NULL;
		if (!word)
			return NULL;
	}
	type = add_word(r, type, SWIFT_IMPL_CONVENTION, word);
	type = add_lowered_attributes(r, type);
	if (!swift_next_is(r, '_'))
		return NULL;
	while (type && !swift_next_is(r, '_'))
		type = swift_add(r->pool, type,
		                 read_value(r, SWIFT_IMPL_PARAM));
	while (type && !swift_next_is(r, '_'))
		type = swift_add(r->pool, type,
		                 read_value(r, SWIFT_IMPL_RESULT));
	return type;
}

static struct swift_node *read_box(struct swift_reader *r)
{
	struct swift_node *signature = NULL;
	struct swift_node *layout = swift_make(r, SWIFT_SIL_BOX_LAYOUT);
	struct swift_node *types = swift_make(r, SWIFT_TYPE_LIST);
	struct swift_node *box;

	if (swift_next_is(r, 'G')) {
		signature = read_signature(r, SWIFT_SIGNATURE);
		if (!signature)
			return NULL;
	}
	while (layout && !swift_next_is(r, '_')) {
		enum swift_kind kind = swift_next_is(r, 'm')
		                               ? SWIFT_SIL_BOX_VAR
		                               : SWIFT_SIL_BOX_LET;

		if (kind == SWIFT_SIL_BOX_LET && !swift_next_is(r, 'i'))
			return NULL;
		layout = swift_add(r->pool, layout,
		                   swift_make1(r, kind, read_type(r)));
	}
	box = swift_make1(r, SWIFT_SIL_BOX_WITH_LAYOUT, layout);
	if (!signature)
		return box;
	while (types && !swift_next_is(r, '_'))
		types = swift_add(r->pool, types, read_type(r));
	return swift_add(r->pool, swift_add(r->pool, box, signature), types);
}

static struct swift_node *read_metatype(struct swift_reader *r,
                                        enum swift_kind kind)
{
	const char *word = swift_next_is(r, 't')   ? "@thin"
	                   : swift_next_is(r, 'T') ? "@thick"
	                   : swift_next_is(r, 'o') ? "@objc_metatype"
	                                           : NULL;
	struct swift_node *metatype;

	if (!word)
		return NULL;
	metatype = add_word(r, swift_make(r, kind),
	                    SWIFT_METATYPE_REPRESENTATION, word);
	return metatype ? swift_add(r->pool, metatype, read_type(r)) : NULL;
}

/** `X` and a letter. */
static struct swift_node *read_extended(struct swift_reader *r)
{
	switch (swift_next(r)) {
	case 'b':
		return swift_make1(r, SWIFT_SIL_BOX, read_type(r));
	case 'B':
		return read_box(r);
	case 'M':
		return read_metatype(r, SWIFT_METATYPE);
	case 'P':
		if (swift_next_is(r, 'M'))
			return read_metatype(r, SWIFT_EXISTENTIAL_METATYPE);
		return read_protocol_list(r);
	case 'f':
		return read_function(r, SWIFT_THIN_FUNCTION);
	case 'o':
		return swift_make1(r, SWIFT_UNOWNED, read_type(r));
	case 'u':
		return swift_make1(r, SWIFT_UNMANAGED, read_type(r));
	case 'w':
		return swift_make1(r, SWIFT_WEAK, read_type(r));
	case 'F':
		return read_lowered(r);
	default:
		return NULL;
	}
}

static struct swift_node *read_generic(struct swift_reader *r)
{
	struct swift_node *signature = read_signature(r, SWIFT_SIGNATURE);

	return signature ? swift_make2(r, SWIFT_GENERIC_TYPE, signature,
	                               read_type(r))
	                 : NULL;
}

static struct swift_node *read_opaque(struct swift_reader *r)
{
	if (swift_next_is(r, 'u'))
		return swift_make(r, SWIFT_OPAQUE_RETURN);
	if (swift_next_is(r, 'U'))
		return swift_make1(r, SWIFT_OPAQUE_RETURN, swift_index_node(r));
	return read_archetype(r);
}

/** Types that a letter and their parts make. */
static struct swift_node *read_compound(struct swift_reader *r, char letter)
{
	enum swift_kind kind;

	switch (letter) {
	case 'G':
		return read_bound(r);
	case 'P':
		if (swift_next_is(r, 'M'))
			return swift_make1(r, SWIFT_EXISTENTIAL_METATYPE,
			                   read_type(r));
		return read_protocol_list(r);
	case 'Q':
		return read_opaque(r);
	case 'q':
		return read_dependent(r);
	case 'x':
		return swift_make_param(r, 0, 0);
	case 'w':
		return read_member_simple(r);
	case 'W':
		return read_member_path(r);
	case 'R':
		return swift_make1(r, SWIFT_INOUT, nested(r, read_type_inside));
	case 'k':
		return swift_make1(r, SWIFT_NO_DERIVATIVE,
		                   nested(r, read_type_inside));
	case 'S':
		return read_substitution(r);
	case 'T':
		return read_tuple(r, false);
	case 't':
		return read_tuple(r, true);
	case 'u':
		return read_generic(r);
	case 'X':
		return read_extended(r);
	default:
		return nominal_kind(letter, &kind) ? read_declaration(r, kind)
		                                   : NULL;
	}
}

static struct swift_node *read_type_inside(struct swift_reader *r)
{
	char letter = swift_next(r);

	switch (letter) {
	case 'B':
		return read_builtin(r);
	case 'a':
		return read_declaration(r, SWIFT_TYPE_ALIAS);
	case 'b':
		return read_function(r, SWIFT_BLOCK);
	case 'c':
		return read_function(r, SWIFT_C_FUNCTION);
	case 'F':
		return read_function(r, SWIFT_FUNCTION_TYPE);
	case 'f':
		return read_function(r, SWIFT_UNCURRIED_FUNCTION);
	case 'K':
		return read_function(r, SWIFT_AUTOCLOSURE);
	case 'D':
		return swift_make1(r, SWIFT_DYNAMIC_SELF, read_type(r));
	case 'M':
		return swift_make1(r, SWIFT_METATYPE, read_type(r));
	case 'E':
		return take(r, "RR") ? swift_make(r, SWIFT_ERROR_TYPE) : NULL;
	default:
		return read_compound(r, letter);
	}
}

static struct swift_node *read_type(struct swift_reader *r)
{
	return swift_make_type(r, nested(r, read_type_inside));
}

/** A constant that was put in for a parameter. */
static struct swift_node *read_constant(struct swift_reader *r,
                                        struct swift_node *param)
{
	enum swift_signature_operation what;
	struct swift_node *payload = NULL;
	struct text text = TEXT_NONE;
	const char *encoding = NULL;

	if (take(r, "fr")) {
		what = SWIFT_SIGNATURE_FUNCTION;
	} else if (take(r, "fl")) {
		what = SWIFT_SIGNATURE_FLOAT;
	} else if (take(r, "g")) {
		what = SWIFT_SIGNATURE_GLOBAL;
	} else if (take(r, "i")) {
		what = SWIFT_SIGNATURE_INTEGER;
	} else if (take(r, "se0v") || take(r, "se1v")) {
		what = SWIFT_SIGNATURE_STRING;
		encoding = r->at[-2] == '0' ? "u8" : "u16";
	} else {
		return NULL;
	}
	if (what == SWIFT_SIGNATURE_FLOAT || what == SWIFT_SIGNATURE_INTEGER) {
		text.data = r->at;
		while (swift_peek(r) && swift_peek(r) != '_')
			swift_next(r);
		text.size = (size_t)(r->at - text.data);
		payload = swift_make_text(r, SWIFT_SIGNATURE_PAYLOAD, text);
	} else {
		payload = read_identifier(r, SWIFT_SIGNATURE_PAYLOAD);
	}
	param = swift_add(
	        r->pool, param,
	        swift_make_number(r, SWIFT_SIGNATURE_OPERATION, what));
	if (encoding)
		param = add_word(r, param, SWIFT_SIGNATURE_PAYLOAD, encoding);
	param = swift_add(r->pool, param, payload);
	return swift_next_is(r, '_') ? param : NULL;
}

static struct swift_node *read_closure_constant(struct swift_reader *r,
                                                struct swift_node *param)
{
	param = swift_add(r->pool, param,
	                  swift_make_number(r, SWIFT_SIGNATURE_OPERATION,
	                                    SWIFT_SIGNATURE_CLOSURE));
	param = swift_add(r->pool, param,
	                  read_identifier(r, SWIFT_SIGNATURE_PAYLOAD));
	while (param && !swift_next_is(r, '_'))
		param = swift_add(r->pool, param, read_type(r));
	return param;
}

static struct swift_node *read_signature_param(struct swift_reader *r)
{
	struct swift_node *param = swift_make(r, SWIFT_SIGNATURE_PARAM);
	uint64_t what = 0;

	if (take(r, "n_"))
		return param;
	if (take(r, "cp"))
		return read_constant(r, param);
	if (take(r, "cl"))
		return read_closure_constant(r, param);
	if (take(r, "i_")) {
		what = SWIFT_SIGNATURE_BOX_TO_VALUE;
	} else if (take(r, "k_")) {
		what = SWIFT_SIGNATURE_BOX_TO_STACK;
	} else if (take(r, "r_")) {
		what = SWIFT_SIGNATURE_INOUT_TO_OUT;
	} else {
		what |= swift_next_is(r, 'd') ? SWIFT_SIGNATURE_DEAD : 0;
		what |= swift_next_is(r, 'g')
		                ? SWIFT_SIGNATURE_OWNED_TO_GUARANTEED
		                : 0;
		what |= swift_next_is(r, 'o')
		                ? SWIFT_SIGNATURE_GUARANTEED_TO_OWNED
		                : 0;
		what |= swift_next_is(r, 's') ? SWIFT_SIGNATURE_EXPLODED : 0;
		if (!what || !swift_next_is(r, '_'))
			return NULL;
	}
	return swift_add(r->pool, param,
	                 swift_make_number(r, SWIFT_SIGNATURE_OPERATION, what));
}

static struct swift_node *read_specialized_param(struct swift_reader *r)
{
	struct swift_node *param =
	        swift_make1(r, SWIFT_SPECIALIZED_PARAM, read_type(r));

	while (param && !swift_next_is(r, '_'))
		param = swift_add(r->pool, param, read_conformance(r));
	return param;
}

/** Behind `TS`. */
static struct swift_node *read_specialized(struct swift_reader *r)
{
	char letter = swift_next(r);
	enum swift_kind kind = letter == 'g' ? SWIFT_SPECIALIZED
	                       : letter == 'r'
	                               ? SWIFT_SPECIALIZED_NOT_REABSTRACTED
	                               : SWIFT_SPECIALIZED_SIGNATURE;
	struct swift_node *spec = swift_make(r, kind);

	if (!letter || !strchr("grf", letter))
		return NULL;
	if (swift_next_is(r, 'q'))
		spec = swift_add(r->pool, spec,
		                 swift_make(r, SWIFT_SERIALIZED));
	letter = swift_next(r);
	if (!letter)
		return NULL;
	spec = swift_add(r->pool, spec,
	                 swift_make_number(r, SWIFT_PASS, (uint64_t)letter));
	while (spec && !swift_next_is(r, '_'))
		spec = swift_add(r->pool, spec,
		                 kind == SWIFT_SPECIALIZED_SIGNATURE
		                         ? read_signature_param(r)
		                         : read_specialized_param(r));
	return spec;
}

/** Behind `M`. */
static struct swift_node *read_metadata(struct swift_reader *r)
{
	static const struct {
		const char *letters;
		enum swift_kind kind;
	} kinds[] = {
		{ "P", SWIFT_GENERIC_PATTERN },
		{ "a", SWIFT_METADATA_ACCESSOR },
		{ "L", SWIFT_METADATA_LAZY_CACHE },
		{ "m", SWIFT_METACLASS },
		{ "n", SWIFT_NOMINAL_DESCRIPTOR },
		{ "f", SWIFT_FULL_METADATA },
		{ "Rf", SWIFT_REFLECTION_FIELD },
		{ "Rb", SWIFT_REFLECTION_BUILTIN },
		{ "Rs", SWIFT_REFLECTION_SUPERCLASS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (take(r, kinds[i].letters))
			return swift_make1(r, kinds[i].kind, read_type(r));
	if (take(r, "Ra"))
		return swift_make1(r, SWIFT_REFLECTION_ASSOCIATED,
		                   read_conformance(r));
	if (swift_next_is(r, 'p'))
		return swift_make1(r, SWIFT_PROTOCOL_DESCRIPTOR,
		                   read_protocol(r));
	return swift_make1(r, SWIFT_METADATA, read_type(r));
}

/** Behind `W`. */
static struct swift_node *read_witness(struct swift_reader *r)
{
	struct swift_node *first;

	switch (swift_next(r)) {
	case 'V':
		return swift_make1(r, SWIFT_VALUE_WITNESS_TABLE, read_type(r));
	case 'v':
		return swift_read_field_offset(r, read_entity);
	case 'o':
		return swift_make1(r, SWIFT_WITNESS_OFFSET, read_entity(r));
	case 'P':
		return swift_make1(r, SWIFT_WITNESS_TABLE, read_conformance(r));
	case 'G':
		return swift_make1(r, SWIFT_GENERIC_WITNESS_TABLE,
		                   read_conformance(r));
	case 'I':
		return swift_make1(r, SWIFT_GENERIC_WITNESS_INSTANTIATION,
		                   read_conformance(r));
	case 'l':
		first = read_type(r);
		return swift_make2(r, SWIFT_LAZY_WITNESS_ACCESSOR, first,
		                   read_conformance(r));
	case 'L':
		first = read_type(r);
		return swift_make2(r, SWIFT_LAZY_WITNESS_CACHE, first,
		                   read_conformance(r));
	case 'a':
		return swift_make1(r, SWIFT_WITNESS_TABLE_ACCESSOR,
		                   read_conformance(r));
	case 't':
		first = read_conformance(r);
		return swift_make2(r, SWIFT_ASSOCIATED_METADATA_ACCESSOR, first,
		                   read_name(r));
	case 'T':
		first = swift_make1(r, SWIFT_ASSOCIATED_WITNESS_ACCESSOR,
		                    read_conformance(r));
		first = swift_add(r->pool, first, read_name(r));
		return swift_add(r->pool, first, read_protocol(r));
	default:
		return NULL;
	}
}

/** Behind `T`. */
static struct swift_node *read_thunk(struct swift_reader *r)
{
	char letter = swift_next(r);
	struct swift_node *thunk;

	if (letter == 'W') {
		thunk = swift_make1(r, SWIFT_PROTOCOL_WITNESS,
		                    read_conformance(r));
		return thunk ? swift_add(r->pool, thunk, read_entity(r)) : NULL;
	}
	if (letter != 'R' && letter != 'r')
		return NULL;
	thunk = swift_make(r, letter == 'R' ? SWIFT_REABSTRACTION_HELPER
	                                    : SWIFT_REABSTRACTION);
	if (swift_next_is(r, 'G'))
		thunk = swift_add(r->pool, thunk,
		                  read_signature(r, SWIFT_SIGNATURE));
	thunk = swift_add(r->pool, thunk, read_type(r));
	return thunk ? swift_add(r->pool, thunk, read_type(r)) : NULL;
}

static struct swift_node *read_value_witness(struct swift_reader *r)
{
	struct text letters = { r->at, 2 };
	const char *name;
	struct swift_node *node;

	if (r->end - r->at < 2)
		return NULL;
	name = swift_value_witness(letters);
	r->at += 2;
	if (!name)
		return NULL;
	node = swift_make1(r, SWIFT_VALUE_WITNESS, read_type(r));
	if (node)
		node->text = text_from(name);
	return node;
}

static struct swift_node *read_global(struct swift_reader *r)
{
	struct swift_node *node;

	if (swift_next_is(r, 'M'))
		return read_metadata(r);
	if (take(r, "PA")) {
		node = swift_make(r, swift_next_is(r, 'o')
		                             ? SWIFT_PARTIAL_APPLY_OBJC
		                             : SWIFT_PARTIAL_APPLY);
		return take(r, "__T") ? swift_add(r->pool, node,
		                                  nested(r, read_global))
		                      : node;
	}
	if (swift_next_is(r, 't'))
		return swift_make1(r, SWIFT_TYPE_MANGLING, read_type(r));
	if (swift_next_is(r, 'w'))
		return read_value_witness(r);
	if (swift_next_is(r, 'W'))
		return read_witness(r);
	if (swift_next_is(r, 'T'))
		return read_thunk(r);
	// A substitution refers to nothing here: this is a name of C.
	return swift_peek(r) == 'S' ? NULL : read_entity(r);
}

/** Specializations, one in the other; each has substitutions of its own. */
static struct swift_node *add_specialized(struct swift_reader *r,
                                          struct swift_node *global)
{
	do {
		global = swift_add(r->pool, global, read_specialized(r));
		r->substitutions.count = 0;
	} while (global && take(r, "_TTS"));
	return take(r, "_T") ? global : NULL;
}

struct swift_node *swift_read_old(struct swift_reader *r)
{
	static const struct {
		const char *letters;
		enum swift_kind kind;
	} attributes[] = {
		{ "To", SWIFT_OBJC },    { "TO", SWIFT_NONOBJC },
		{ "TD", SWIFT_DYNAMIC }, { "Td", SWIFT_DIRECT_METHOD },
		{ "TV", SWIFT_VTABLE },
	};
	struct swift_node *global = swift_make(r, SWIFT_GLOBAL);

	if (take(r, "TS")) {
		global = add_specialized(r, global);
	} else {
		for (size_t i = 0; i < ARRAY_SIZE(attributes); i++)
			if (take(r, attributes[i].letters)) {
				global = swift_add(
				        r->pool, global,
				        swift_make(r, attributes[i].kind));
				break;
			}
	}
	if (!global)
		return NULL;
	global = swift_add(r->pool, global, read_global(r));
	if (global && r->at < r->end)
		global = swift_add(
		        r->pool, global,
		        swift_make_text(
		                r, SWIFT_SUFFIX,
		                (struct text){ r->at,
		                               (size_t)(r->end - r->at) }));
	return global;
}
