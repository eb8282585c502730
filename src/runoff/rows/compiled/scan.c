/* Text into lines and fields: the edges of fields and the ends of lines as positions, found 64 bytes at a time. */

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "rows.h"

/* NO_SSE2 and NO_AVX2 let tests take the ways of other processors. */
#if (defined(__SSE2__) || defined(_M_X64)) && !defined(NO_SSE2)
#include <emmintrin.h>
#define HAS_SSE2 1
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(NO_AVX2) /* other compilers ask the processor in other ways */
#include <immintrin.h>
#define HAS_AVX2 1
#endif

#define STEP 8192            /* bytes that are looked at at a time: they, and what is found in them, stay in the cache */
#define BEYOND UINT32_MAX    /* behind every position */

/* Which of 64 bytes are blank (up to 0x20), newlines, and blank but no space, tab or newline. */
typedef struct {
    uint64_t blank, newline, odd;
} byte_masks;

#if HAS_SSE2
static inline byte_masks masks_of(const uint8_t *text, int *has_high)
{
    const __m128i space = _mm_set1_epi8(0x20), tab = _mm_set1_epi8(9), lf = _mm_set1_epi8(10);
    byte_masks masks = {0, 0, 0};
    int high = 0;
    for (int part = 0; part < 4; part++) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(text + 16 * part));
        const __m128i blank = _mm_cmpeq_epi8(_mm_min_epu8(bytes, space), bytes);
        const __m128i newline = _mm_cmpeq_epi8(bytes, lf);
        const __m128i usual = _mm_or_si128(_mm_or_si128(newline, _mm_cmpeq_epi8(bytes, tab)), _mm_cmpeq_epi8(bytes, space));
        masks.blank |= (uint64_t)(uint32_t)_mm_movemask_epi8(blank) << (16 * part);
        masks.newline |= (uint64_t)(uint32_t)_mm_movemask_epi8(newline) << (16 * part);
        masks.odd |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_andnot_si128(usual, blank)) << (16 * part);
        high |= _mm_movemask_epi8(bytes);
    }
    *has_high |= high;
    return masks;
}
#else
/* The high bits of eight bytes, gathered into one. */
static inline uint64_t gathered(uint64_t high_bits)
{
    return (high_bits >> 7) * 0x0102040810204080u >> 56;
}

/* A high bit for every byte that is the given one. */
static inline uint64_t equal_to(uint64_t word, uint8_t byte)
{
    const uint64_t other = word ^ (0x0101010101010101u * byte);
    return ~(((other & 0x7F7F7F7F7F7F7F7Fu) + 0x7F7F7F7F7F7F7F7Fu) | other) & 0x8080808080808080u;
}

static inline byte_masks masks_of(const uint8_t *text, int *has_high)
{
    byte_masks masks = {0, 0, 0};
    for (int part = 0; part < 8; part++) {
        const uint64_t word = load_word(text + 8 * part);
        const uint64_t above = ((word & 0x7F7F7F7F7F7F7F7Fu) + 0x5F5F5F5F5F5F5F5Fu) | word;
        const uint64_t blank = ~above & 0x8080808080808080u;
        const uint64_t newline = equal_to(word, 10);
        const uint64_t usual = newline | equal_to(word, 9) | equal_to(word, 0x20);
        masks.blank |= gathered(blank) << (8 * part);
        masks.newline |= gathered(newline) << (8 * part);
        masks.odd |= gathered(blank & ~usual) << (8 * part);
        *has_high |= (word & 0x8080808080808080u) != 0;
    }
    return masks;
}
#endif

/* Write the positions of the set bits behind the others; how many there are then. */
static inline size_t add_bits(uint32_t *items, size_t count, uint64_t bits, uint32_t base)
{
    for (; bits; bits &= bits - 1)
        items[count++] = base + (uint32_t)lowest_bit(bits);
    return count;
}

#if HAS_AVX2
#define WIDE __attribute__((target("avx2,bmi,popcnt"))) static inline

WIDE byte_masks masks_of_wide(const uint8_t *text, int *has_high)
{
    const __m256i space = _mm256_set1_epi8(0x20), tab = _mm256_set1_epi8(9), lf = _mm256_set1_epi8(10);
    byte_masks masks = {0, 0, 0};
    int high = 0;
    for (int part = 0; part < 2; part++) {
        const __m256i bytes = _mm256_loadu_si256((const __m256i *)(text + 32 * part));
        const __m256i blank = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, space), bytes);
        const __m256i newline = _mm256_cmpeq_epi8(bytes, lf);
        const __m256i usual =
            _mm256_or_si256(_mm256_or_si256(newline, _mm256_cmpeq_epi8(bytes, tab)), _mm256_cmpeq_epi8(bytes, space));
        masks.blank |= (uint64_t)(uint32_t)_mm256_movemask_epi8(blank) << (32 * part);
        masks.newline |= (uint64_t)(uint32_t)_mm256_movemask_epi8(newline) << (32 * part);
        masks.odd |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_andnot_si256(usual, blank)) << (32 * part);
        high |= _mm256_movemask_epi8(bytes);
    }
    *has_high |= high;
    return masks;
}

/* As add_bits, eight at a time: no branch for every bit. What is written too much is overwritten later. */
WIDE size_t add_bits_wide(uint32_t *items, size_t count, uint64_t bits, uint32_t base)
{
    const size_t total = count + (size_t)_mm_popcnt_u64(bits);
    for (; count < total; count += 8)
        for (int i = 0; i < 8; i++) {
            items[count + i] = base + (uint32_t)_tzcnt_u64(bits);
            bits &= bits - 1;
        }
    return total;
}
#endif

void scanner_start(scanner *self, const uint8_t *text, uint32_t size)
{
    memset(self, 0, sizeof *self);
    self->text = text;
    self->size = size;
    self->was_blank = 1;
}

/* Room for what another step can add, and what is not used up moved to the front. */
static int make_room(uint32_t **items, size_t *count, size_t *room, size_t *used)
{
    if (*used) {
        memmove(*items, *items + *used, (*count - *used) * sizeof **items);
        *count -= *used;
        *used = 0;
    }
    const size_t needed = *count + STEP + 64 + 2;
    if (needed <= *room)
        return 0;
    uint32_t *larger = realloc(*items, 2 * needed * sizeof **items);
    if (larger == NULL)
        return -1;
    *items = larger;
    *room = 2 * needed;
    return 0;
}

/* Blanks that are no space, tab or newline: a carriage return at the end of a line is fine. */
static void note_odd(scanner *self, uint64_t odd, uint32_t base)
{
    for (; odd; odd &= odd - 1) {
        const uint8_t *byte = self->text + base + lowest_bit(odd);
        if (byte[0] != 13 || byte[1] != 10)
            self->has_control = 1;
    }
}

/* Find the edges and newlines of the next bytes, up to `stop`, with the given way to look at 64 of them. */
#define SCAN_BYTES(self, stop, masks_of, add_bits)                                                 \
    const uint8_t *text = self->text;                                                              \
    uint32_t *edges = self->edges, *newlines = self->newlines;                                     \
    size_t edge_count = self->edge_count, newline_count = self->newline_count;                     \
    uint64_t was_blank = self->was_blank;                                                          \
    int has_high = 0;                                                                              \
    for (uint32_t at = self->done; at < stop; at += 64) {                                          \
        byte_masks masks = masks_of(text + at, &has_high);                                         \
        if (RARE(self->size - at < 64)) {                                                          \
            const uint64_t behind = UINT64_MAX << (self->size - at);                               \
            masks.blank |= behind;                                                                 \
            masks.newline &= ~behind;                                                              \
            masks.odd &= ~behind;                                                                  \
        }                                                                                          \
        edge_count = add_bits(edges, edge_count, masks.blank ^ (masks.blank << 1 | was_blank), at);\
        newline_count = add_bits(newlines, newline_count, masks.newline, at);                      \
        was_blank = masks.blank >> 63;                                                             \
        if (RARE(masks.odd))                                                                       \
            note_odd(self, masks.odd, at);                                                         \
    }                                                                                              \
    self->edge_count = edge_count;                                                                 \
    self->newline_count = newline_count;                                                           \
    self->was_blank = was_blank;                                                                   \
    self->has_high |= has_high;

static void scan_bytes(scanner *self, uint32_t stop)
{
    SCAN_BYTES(self, stop, masks_of, add_bits)
}

#if HAS_AVX2
__attribute__((target("avx2,bmi,popcnt"))) static void scan_bytes_wide(scanner *self, uint32_t stop)
{
    SCAN_BYTES(self, stop, masks_of_wide, add_bits_wide)
}

static int is_wide(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
}
#endif

static int scan_step(scanner *self)
{
    if (make_room(&self->edges, &self->edge_count, &self->edge_room, &self->edge)
        || make_room(&self->newlines, &self->newline_count, &self->newline_room, &self->newline))
        return -1;
    const uint32_t stop = self->size - self->done > STEP ? self->done + STEP : self->size;
#if HAS_AVX2
    if (is_wide())
        scan_bytes_wide(self, stop);
    else
#endif
        scan_bytes(self, stop);
    if (stop == self->size && self->size % 64 == 0 && !self->was_blank)
        self->edges[self->edge_count++] = self->size; /* a field that the end cuts off */
    self->edges[self->edge_count] = self->edges[self->edge_count + 1] = BEYOND;
    self->done = stop;
    return 0;
}

int scanner_go_on(scanner *self)
{
    while (self->newline == self->newline_count) {
        if (self->done == self->size)
            return 0;
        if (scan_step(self))
            return -1;
    }
    return 1;
}

uint32_t scanner_count_fields(const scanner *self, uint32_t end)
{
    size_t edge = self->edge;
    while (edge < self->edge_count && self->edges[edge] < end)
        edge += 2;
    return (uint32_t)((edge - self->edge) / 2);
}

void scanner_skip_line(scanner *self, uint32_t end, uint32_t fields)
{
    self->edge += 2 * (size_t)fields;
    while (self->edge < self->edge_count && self->edges[self->edge] < end)
        self->edge += 2;
}

void scanner_free(scanner *self)
{
    free(self->edges);
    free(self->newlines);
}

/* The length of the character at a place, as UTF-8 allows it (RFC 3629, section 4); 0: none. */
static size_t character_length(const uint8_t *at, size_t left)
{
    const uint8_t first = at[0];
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    const size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (length > left)
        return 0;
    const uint8_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const uint8_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (at[1] < low || at[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

int is_utf8(const uint8_t *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        if (size - at >= 8 && (load_word(text + at) & 0x8080808080808080u) == 0) {
            at += 8;
            continue;
        }
        const size_t length = character_length(text + at, size - at);
        if (length == 0)
            return 0;
        at += length;
    }
    return 1;
}

int find_bad_lines(const uint8_t *text, uint32_t size, vector *lines)
{
    uint32_t line = 0;
    for (uint32_t begin = 0; begin < size;) {
        const uint8_t *newline = memchr(text + begin, 10, size - begin);
        const uint32_t end = newline ? (uint32_t)(newline - text) : size;
        bad_line bad = {++line, 0, 0};
        for (uint32_t at = begin; at < end && !bad.kind; at++)
            if (text[at] < 0x20 && text[at] != 9 && !(text[at] == 13 && at + 1 == end && newline)) {
                bad.kind = FAULT_CONTROL;
                bad.value = text[at];
            }
        if (!bad.kind && !is_utf8(text + begin, end - begin))
            bad.kind = FAULT_NOT_UTF8;
        if (bad.kind) {
            if (vector_reserve(lines, 1, sizeof bad))
                return -1;
            ((bad_line *)lines->items)[lines->count++] = bad;
        }
        begin = end + (newline != NULL);
    }
    return 0;
}

void add_fault(fault_list *self, fault one)
{
    self->total++;
    size_t place = self->kept;
    while (place > 0 && self->first[place - 1].line > one.line)
        place--;
    if (place == MOST_FAULTS)
        return;
    if (self->kept < MOST_FAULTS)
        self->kept++;
    for (size_t at = self->kept - 1; at > place; at--)
        self->first[at] = self->first[at - 1];
    if (one.token_length > MOST_TOKEN)
        one.token_length = MOST_TOKEN;
    self->first[place] = one;
}
