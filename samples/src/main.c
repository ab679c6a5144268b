/* Where the demo app starts. */
#include "checksum.h"

int demo_app_main(int argc, char **argv);

static int arguments_valid(int argc, char **argv)
{
	return argc > 0 && checksum_text(argv[0]) != 0;
}

int main(int argc, char **argv)
{
	if (!arguments_valid(argc, argv))
		return 2;
	int status = demo_app_main(argc, argv);
	return status < 0 ? 1 : status;
}
