/* Runs the fuzzer's function on files, and on inputs made from them by chance, without libFuzzer.

   replay COUNT SEED FILE...   every file as it is, then with each of its first allocations failing, then COUNT inputs
                               that are changed copies of the files */

#include "fuzz.h"

#include <string.h>

#define MOST_BYTES 12288

static uint64_t state;

static size_t drawn(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state >> 11) % below;
}

typedef struct {
    uint8_t bytes[MOST_BYTES];
    size_t size;
} input;

static const char *const TOKENS[] = {" ", "\n", "\r\n", "\t", "#", "\r", "-", "e", ".", "1e", "9007199254740993", "nan",
                                     "\xc3\xa9", "\xff", "\xe2\x82", "0x1p3", "1e400", "4.9e-324", "q Q0 d 1 1 t\n"};

/* Bytes in place of others, as far as there is room. */
static void replace(input *self, size_t at, size_t removed, const void *bytes, size_t added)
{
    if (removed > self->size - at)
        removed = self->size - at;
    if (self->size - removed + added > MOST_BYTES)
        return;
    memmove(self->bytes + at + added, self->bytes + at + removed, self->size - at - removed);
    memcpy(self->bytes + at, bytes, added);
    self->size += added - removed;
}

static void change(input *self, const input *other)
{
    const size_t at = drawn(self->size);
    const char *token = TOKENS[drawn(sizeof TOKENS / sizeof *TOKENS)];
    uint8_t copy[256];
    size_t from = 0, length = drawn(sizeof copy);
    switch (drawn(7)) {
    case 0:
        self->bytes[at] ^= (uint8_t)(1 << drawn(8));
        break;
    case 1:
        self->bytes[at] = (uint8_t)drawn(256);
        break;
    case 2:
        self->bytes[drawn(HEADER < self->size ? HEADER : self->size)] = (uint8_t)drawn(256);
        break;
    case 3:
        replace(self, at, 0, token, strlen(token));
        break;
    case 4:
        if (self->size > HEADER + 1)
            replace(self, at, 1 + drawn(16) % (self->size - at), token, 0);
        break;
    case 5: /* a piece of this input, again */
        from = drawn(self->size);
        length = length < self->size - from ? length : self->size - from;
        memcpy(copy, self->bytes + from, length);
        replace(self, at, 0, copy, length);
        break;
    default: /* a piece of another one */
        from = drawn(other->size);
        length = length < other->size - from ? length : other->size - from;
        replace(self, at, drawn(2) * length, other->bytes + from, length);
    }
}

/* A copy of exactly its size, so that a read behind it is seen. */
static void run(const input *one)
{
    uint8_t *copy = malloc(one->size);
    HOLDS(copy != NULL);
    memcpy(copy, one->bytes, one->size);
    LLVMFuzzerTestOneInput(copy, one->size);
    free(copy);
}

static void run_with_failures(const input *one)
{
    input failing = *one;
    for (int byte = 64; byte < 128 && one->size > FAILING; byte++) {
        failing.bytes[FAILING] = (uint8_t)byte;
        run(&failing);
    }
}

int main(int count, char **arguments)
{
    const int files = count - 3;
    HOLDS(files > 0);
    const long changed = atol(arguments[1]);
    state = strtoull(arguments[2], NULL, 10) * 2 + 1;
    input *inputs = calloc((size_t)files, sizeof *inputs);
    HOLDS(inputs != NULL);
    for (int i = 0; i < files; i++) {
        FILE *file = fopen(arguments[i + 3], "rb");
        HOLDS(file != NULL);
        inputs[i].size = fread(inputs[i].bytes, 1, MOST_BYTES, file);
        fclose(file);
        HOLDS(inputs[i].size > 0);
        run(&inputs[i]);
        run_with_failures(&inputs[i]);
    }
    for (long i = 0; i < changed; i++) {
        input one = inputs[drawn((size_t)files)];
        for (size_t changes = 1 + drawn(6); changes; changes--)
            change(&one, &inputs[drawn((size_t)files)]);
        run(&one);
    }
    free(inputs);
    printf("%d files, %ld changed inputs\n", files, changed);
    return 0;
}
