/* Growing arrays. */

#include <stdlib.h>
#include <string.h>

#include "rows.h"

int vector_reserve(vector *self, size_t more, size_t item_size)
{
    if (more <= self->room - self->count)
        return 0;
    if (more > SIZE_MAX / item_size / 2 - self->count)
        return -1;
    size_t room = self->room + self->room / 2 + 16;
    if (room < self->count + more)
        room = self->count + more;
    void *items = realloc(self->items, room * item_size);
    if (items == NULL)
        return -1;
    self->items = items;
    self->room = room;
    return 0;
}

int vector_add_i64(vector *self, int64_t value)
{
    if (vector_reserve(self, 1, sizeof(int64_t)))
        return -1;
    ((int64_t *)self->items)[self->count++] = value;
    return 0;
}

int vector_add_bytes(vector *self, const uint8_t *bytes, size_t length)
{
    if (vector_reserve(self, length, 1))
        return -1;
    if (length)
        memcpy((uint8_t *)self->items + self->count, bytes, length);
    self->count += length;
    return 0;
}

void vector_free(vector *self)
{
    free(self->items);
    self->items = NULL;
    self->count = self->room = 0;
}
