/* Merge sort, bottom up, from short runs that are sorted by insertion. */

#include "sort.h"

#include "bytes.h"

#define SHORT_RUN 12

/* Whether one item must be in front of the other, which is before it now. */
static inline int goes_before(const sort_item *one, const sort_item *other, const row *rows, int ascending)
{
    if (one->key != other->key)
        return one->key > other->key;
    if (rows == NULL)
        return 0;
    const row *a = rows + one->index, *b = rows + other->index;
    const int order = compare_bytes(a->doc, a->length, b->doc, b->length);
    return ascending ? order < 0 : order > 0;
}

sort_item *sort_items(sort_item *items, sort_item *spare, size_t count, const row *rows, int ascending)
{
    for (size_t begin = 0; begin < count; begin += SHORT_RUN) {
        const size_t end = begin + SHORT_RUN < count ? begin + SHORT_RUN : count;
        for (size_t i = begin + 1; i < end; i++) {
            const sort_item moved = items[i];
            size_t at = i;
            for (; at > begin && goes_before(&moved, &items[at - 1], rows, ascending); at--)
                items[at] = items[at - 1];
            items[at] = moved;
        }
    }
    for (size_t width = SHORT_RUN; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            const size_t middle = begin + width < count ? begin + width : count;
            const size_t end = begin + 2 * width < count ? begin + 2 * width : count;
            size_t left = begin, right = middle;
            for (size_t to = begin; to < end; to++) {
                const int take_right =
                    left == middle || (right < end && goes_before(&items[right], &items[left], rows, ascending));
                spare[to] = take_right ? items[right++] : items[left++];
            }
        }
        sort_item *sorted = spare;
        spare = items;
        items = sorted;
    }
    return items;
}
