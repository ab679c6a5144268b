// SPDX-License-Identifier: MIT
#include "lib/model/app_name.h"

struct text app_name_of(struct text app)
{
	for (size_t i = 1; i + 1 < app.size; i++) {
		char next = app.data[i + 1];

		if (app.data[i] == ' ' && (next == '(' || text_is_digit(next)))
			return text_first(app, i);
	}
	return app;
}
