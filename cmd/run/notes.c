#include "cmd/run/notes.h"

#include "cmd/command.h"

void notes_print(const char *before, const struct note *notes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		command_warn("%s%s: %s", before, notes[i].place, notes[i].text);
}
