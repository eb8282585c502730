/* Allocation that fails when it is told to. The reader is compiled with malloc, calloc and realloc named as here. */

#undef malloc
#undef calloc
#undef realloc

#include <stdlib.h>

void fail_allocation(int number, int all);
int has_failed_allocation(void);
void *fuzz_malloc(size_t size);
void *fuzz_calloc(size_t count, size_t size);
void *fuzz_realloc(void *before, size_t size);

static int left, fails_all, has_failed;

void fail_allocation(int number, int all)
{
    left = number;
    fails_all = all;
    has_failed = 0;
}

int has_failed_allocation(void)
{
    return has_failed;
}

static int fails(void)
{
    if (left == 0 || --left > 0)
        return 0;
    left = fails_all;
    has_failed = 1;
    return 1;
}

void *fuzz_malloc(size_t size)
{
    return fails() ? NULL : malloc(size);
}

void *fuzz_calloc(size_t count, size_t size)
{
    return fails() ? NULL : calloc(count, size);
}

void *fuzz_realloc(void *before, size_t size)
{
    return fails() ? NULL : realloc(before, size);
}
