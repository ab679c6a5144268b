#include "cmd/run/notes.h"

#include "cmd/run/console.h"

void notes_print(const char *before, const struct note *notes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		console_warn("%s%s: %s", before, notes[i].place, notes[i].text);
}
