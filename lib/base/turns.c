// SPDX-License-Identifier: MIT
#include "lib/base/turns.h"

static void wait_for(struct turns *turns, size_t number)
{
	while (turns->now != number)
		pthread_cond_wait(&turns->passed, &turns->mutex);
}

void turns_wait(struct turns *turns, size_t number)
{
	pthread_mutex_lock(&turns->mutex);
	wait_for(turns, number);
	pthread_mutex_unlock(&turns->mutex);
}

bool turns_has_come(struct turns *turns, size_t number)
{
	bool has_come;

	pthread_mutex_lock(&turns->mutex);
	has_come = turns->now == number;
	pthread_mutex_unlock(&turns->mutex);
	return has_come;
}

void turns_take(struct turns *turns)
{
	pthread_mutex_lock(&turns->mutex);
	wait_for(turns, turns->taken++);
	pthread_mutex_unlock(&turns->mutex);
}

void turns_pass(struct turns *turns)
{
	pthread_mutex_lock(&turns->mutex);
	turns->now++;
	pthread_cond_broadcast(&turns->passed);
	pthread_mutex_unlock(&turns->mutex);
}

void turns_release(struct turns *turns)
{
	pthread_cond_destroy(&turns->passed);
	pthread_mutex_destroy(&turns->mutex);
}
