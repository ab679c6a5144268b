// SPDX-License-Identifier: MIT
/* The readers of lag formats: detection and reading. */
#include "lib/text/tar.h"
#include "parsers/lag/reader.h"
#include "parsers/reader.h"

static enum lag_format format_of(const struct envelope *in)
{
	return lag_format_of(text_first(in->text, LAG_HEAD_BYTES));
}

// JSON

static bool documents_sniff(const struct envelope *in)
{
	return format_of(in) == LAG_FORMAT_DOCUMENTS && !lag_is_nodes(in->text);
}

static bool nodes_sniff(const struct envelope *in)
{
	return lag_is_nodes(in->text);
}

static struct error *documents_read(const struct envelope *in,
                                    struct sink *sink)
{
	struct error *err;

	sink->samples->sink = sink;
	err = lag_read_documents(sink->samples, in->pull);
	lag_reader_end(sink->samples);
	return err;
}

const struct reader lag_reader = {
	.name = "lag",
	.summary = "samples of hangs, one report or many (JSON, JSON Lines)",
	.yields = YIELDS_SAMPLES,
	.noun = "lag samples",
	.streams = STREAMS_DOCUMENTS,
	.sniff = documents_sniff,
	.read = documents_read,
};

const struct reader lag_nodes_reader = {
	.name = "lag nodes",
	.summary = "the node list of lag monitors (JSON)",
	.yields = YIELDS_SAMPLES,
	.noun = "a list of lag nodes",
	.streams = STREAMS_DOCUMENTS,
	.sniff = nodes_sniff,
	.read = documents_read,
};

static bool lines_sniff(const struct envelope *in)
{
	return format_of(in) == LAG_FORMAT_LINES;
}

static struct error *lines_read(const struct envelope *in, struct sink *sink)
{
	sink->samples->sink = sink;
	lag_read_lines(sink->samples, in->text, in->line);
	return NULL;
}

const struct reader lag_lines_reader = {
	.name = "lag lines",
	.yields = YIELDS_SAMPLES,
	.noun = "lag samples",
	.streams = STREAMS_LINES,
	.sniff = lines_sniff,
	.read = lines_read,
};

// Image lists in text, and the samples that they belong to

static bool images_sniff(const struct envelope *in)
{
	return format_of(in) == LAG_FORMAT_IMAGES;
}

static struct error *images_read(const struct envelope *in, struct sink *sink)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(json_pull_drop) struct json_pull *pull = NULL;
	struct lag_reader *reader = sink->samples;
	const struct lag_images *others = reader->images;
	struct lag_images images = { 0 };
	struct text rest = in->text;
	struct error *err = lag_images_read(&rest, &arena, &images);

	if (!err && !text_trim(rest).size)
		err = error_new(ERROR_UNSUPPORTED,
		                "an image list without samples: give it to "
		                "'apmtool lag-aggregate' with --images");
	if (err)
		return err;
	reader->sink = sink;
	reader->images = &images;
	pull = json_pull_new(rest, 0);
	err = lag_read_documents(reader, pull);
	lag_reader_end(reader);
	reader->images = others;
	return err;
}

const struct reader lag_images_reader = {
	.name = "lag images",
	.summary = "image lists for these (JSON, Objective-C's text)",
	.yields = YIELDS_SAMPLES,
	.noun = "lag samples",
	.sniff = images_sniff,
	.read = images_read,
};

// Collapsed stacks

static bool collapsed_sniff(const struct envelope *in)
{
	// The headers of tar archives end in numbers, too.
	return format_of(in) == LAG_FORMAT_COLLAPSED &&
	       !lag_is_difference(text_first(in->text, LAG_HEAD_BYTES)) &&
	       !tar_is(bytes_from_text(in->text));
}

static struct error *collapsed_read(const struct envelope *in,
                                    struct sink *sink)
{
	sink->samples->sink = sink;
	lag_read_collapsed(sink->samples, in->text, in->line);
	if (!in->goes_on)
		lag_reader_end(sink->samples);
	return NULL;
}

const struct reader collapsed_reader = {
	.name = "collapsed",
	.summary = "collapsed stacks with their counts, as flame graph tools "
	           "use",
	.yields = YIELDS_STACKS,
	.streams = STREAMS_PART_LINES,
	.sniff = collapsed_sniff,
	.read = collapsed_read,
};

static bool difference_sniff(const struct envelope *in)
{
	return format_of(in) == LAG_FORMAT_COLLAPSED &&
	       lag_is_difference(text_first(in->text, LAG_HEAD_BYTES));
}

const struct reader difference_reader = {
	.name = "difference",
	.yields = YIELDS_DIFFERENCES,
	.sniff = difference_sniff,
};
