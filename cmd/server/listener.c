// SPDX-License-Identifier: MIT
#include "cmd/server/listener.h"

#include "lib/base/number.h"
#include "lib/base/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 511

/** Only owner and group may connect to a socket in the file system. */
#define UNIX_UMASK 0117

static int open_socket(int family)
{
	int fd = socket(family, SOCK_STREAM, 0);

	if (fd >= 0) {
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
		(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	}
	return fd;
}

static struct error *fail(int fd, const char *address)
{
	struct error *err = error_os(errno, "cannot listen on '%s'", address);

	if (fd >= 0)
		close(fd);
	return err;
}

/** Whether a server left the socket, and none listens on it any more. */
static bool is_left_behind(const struct sockaddr_un *place)
{
	struct stat status;
	bool is_refused;
	int fd;

	if (lstat(place->sun_path, &status) || !S_ISSOCK(status.st_mode))
		return false;
	fd = open_socket(AF_UNIX);
	if (fd < 0)
		return false;
	is_refused =
	        connect(fd, (const struct sockaddr *)place, sizeof(*place)) &&
	        errno == ECONNREFUSED;
	close(fd);
	return is_refused;
}

static struct error *open_unix(const char *address, const char *path,
                               struct listener *ret)
{
	struct sockaddr_un place = { .sun_family = AF_UNIX };
	struct listener listener = { .path = path };
	mode_t before;
	int failed;

	if (!*path || strlen(path) >= sizeof(place.sun_path))
		return error_new(ERROR_USAGE, "'%s': a path has 1 to %zu bytes",
		                 address, sizeof(place.sun_path) - 1);
	memcpy(place.sun_path, path, strlen(path));
	listener.fd = open_socket(AF_UNIX);
	if (listener.fd < 0)
		return fail(-1, address);
	if (is_left_behind(&place))
		(void)unlink(path);
	before = umask(UNIX_UMASK);
	failed = bind(listener.fd, (const struct sockaddr *)&place,
	              sizeof(place));
	umask(before);
	if (failed || listen(listener.fd, BACKLOG))
		return fail(listener.fd, address);
	*ret = listener;
	return NULL;
}

union place {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static bool is_loopback(const union place *place)
{
	if (place->any.sa_family == AF_INET)
		return ntohl(place->v4.sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&place->v6.sin6_addr);
}

static bool parse(const char *address, union place *ret)
{
	struct text text = text_from(address);
	size_t colon = text_find_last_char(text, ':');
	char host[INET6_ADDRSTRLEN];
	struct text name;
	uint64_t port;

	if (colon == TEXT_NOWHERE ||
	    !number_decimal(text_after(text, colon + 1), &port) ||
	    port > UINT16_MAX)
		return false;
	name = text_first(text, colon);
	memset(ret, 0, sizeof(*ret));
	if (text_take(&name, "[")) {
		if (!text_ends(name, "]"))
			return false;
		name.size--;
		ret->any.sa_family = AF_INET6;
		ret->v6.sin6_port = htons((uint16_t)port);
	} else {
		ret->any.sa_family = AF_INET;
		ret->v4.sin_port = htons((uint16_t)port);
	}
	if (text_is(name, "localhost"))
		name = text_from("127.0.0.1");
	if (name.size >= sizeof(host))
		return false;
	memcpy(host, name.data, name.size);
	host[name.size] = '\0';
	return inet_pton(ret->any.sa_family, host,
	                 ret->any.sa_family == AF_INET
	                         ? (void *)&ret->v4.sin_addr
	                         : (void *)&ret->v6.sin6_addr) == 1;
}

static void add_name(int fd, struct str *out)
{
	union place place = { .any = { 0 } };
	socklen_t size = sizeof(place);
	char host[INET6_ADDRSTRLEN];

	if (getsockname(fd, &place.any, &size))
		return;
	if (place.any.sa_family == AF_INET)
		str_addf(out, "http://%s:%u",
		         inet_ntop(AF_INET, &place.v4.sin_addr, host,
		                   sizeof(host)),
		         ntohs(place.v4.sin_port));
	else
		str_addf(out, "http://[%s]:%u",
		         inet_ntop(AF_INET6, &place.v6.sin6_addr, host,
		                   sizeof(host)),
		         ntohs(place.v6.sin6_port));
}

static struct error *open_tcp(const char *address, struct listener *ret)
{
	struct listener listener = { 0 };
	union place place;
	int on = 1;

	if (!parse(address, &place))
		return error_new(ERROR_USAGE,
		                 "'%s': expected an address and a port, as "
		                 "127.0.0.1:3021 or [::1]:3021, or unix:<path>",
		                 address);
	listener.is_loopback = is_loopback(&place);
	listener.fd = open_socket(place.any.sa_family);
	if (listener.fd < 0)
		return fail(-1, address);
	(void)setsockopt(listener.fd, SOL_SOCKET, SO_REUSEADDR, &on,
	                 sizeof(on));
	if (bind(listener.fd, &place.any,
	         place.any.sa_family == AF_INET ? sizeof(place.v4)
	                                        : sizeof(place.v6)) ||
	    listen(listener.fd, BACKLOG))
		return fail(listener.fd, address);
	*ret = listener;
	return NULL;
}

struct error *listener_open(const char *address, struct listener *ret,
                            struct str *ret_name)
{
	struct text path = text_from(address);
	struct error *err;

	if (text_take(&path, "unix:")) {
		err = open_unix(address, path.data, ret);
		if (!err)
			str_add(ret_name, address);
		return err;
	}
	err = open_tcp(address, ret);
	if (!err)
		add_name(ret->fd, ret_name);
	return err;
}

void listener_remove(const struct listener *listener)
{
	if (listener->path)
		(void)unlink(listener->path);
}
