/* Bytes: words loaded from text, bits counted, ids hashed and compared.

   A token is loaded eight bytes at a time, so every text has at least eight readable bytes behind its last token. */

#ifndef RUNOFF_BYTES_H
#define RUNOFF_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER)
#include <intrin.h>
#define RARE(condition) (condition)
#else
#define RARE(condition) __builtin_expect(!!(condition), 0)
#endif

static inline int lowest_bit(uint64_t word)
{
#if defined(_MSC_VER)
    unsigned long place;
    _BitScanForward64(&place, word);
    return (int)place;
#else
    return __builtin_ctzll(word);
#endif
}

static inline int leading_zeros(uint64_t word)
{
#if defined(_MSC_VER)
    unsigned long place;
    _BitScanReverse64(&place, word);
    return 63 - (int)place;
#else
    return __builtin_clzll(word);
#endif
}

static inline int is_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static inline uint64_t swapped(uint64_t word)
{
#if defined(_MSC_VER)
    return _byteswap_uint64(word);
#else
    return __builtin_bswap64(word);
#endif
}

/* Eight bytes as a number whose lowest byte is the first. */
static inline uint64_t load_word(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, 8);
    return is_little_endian() ? word : swapped(word);
}

/* The last 1 to 8 bytes of a token, zeros behind them. */
static inline uint64_t load_tail(const uint8_t *bytes, size_t length)
{
    return load_word(bytes) & (UINT64_MAX >> (64 - 8 * length));
}

/* The product of two words: its high word; the low one goes to *low. */
static inline uint64_t multiply(uint64_t one, uint64_t other, uint64_t *low)
{
#if defined(_MSC_VER) && defined(_M_X64)
    uint64_t high;
    *low = _umul128(one, other, &high);
    return high;
#elif defined(_MSC_VER)
    *low = one * other;
    return __umulh(one, other);
#else
    unsigned __int128 product = (unsigned __int128)one * other;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#endif
}

/* The secret of the hashes, drawn once per process: nobody can prepare ids that collide. */
extern uint64_t hash_secret[4];

static inline uint64_t folded(uint64_t one, uint64_t other)
{
    uint64_t low;
    const uint64_t high = multiply(one, other, &low);
    return high ^ low;
}

static inline uint64_t hash_bytes(const uint8_t *bytes, size_t length)
{
    uint64_t hash = hash_secret[0] ^ ((uint64_t)length * 0x9E3779B97F4A7C15u);
    while (length > 8) {
        hash = folded(load_word(bytes) ^ hash_secret[1], hash ^ hash_secret[2]);
        bytes += 8;
        length -= 8;
    }
    const uint64_t tail = length ? load_tail(bytes, length) : 0;
    return folded(tail ^ hash_secret[3], hash ^ hash_secret[2]);
}

static inline int equal_bytes(const uint8_t *one, const uint8_t *other, size_t length)
{
    while (length > 8) {
        if (load_word(one) != load_word(other))
            return 0;
        one += 8;
        other += 8;
        length -= 8;
    }
    return length == 0 || load_tail(one, length) == load_tail(other, length);
}

/* Copy an id; up to seven bytes more are written behind it, and read behind the other. */
static inline void copy_id(uint8_t *to, const uint8_t *from, size_t length)
{
    if (length > 32) {
        memcpy(to, from, length);
        return;
    }
    for (size_t done = 0; done < length; done += 8)
        memcpy(to + done, from + done, 8);
}

/* Below, at or above zero as the first token sorts, byte by byte, before, with or behind the other. */
static inline int compare_bytes(const uint8_t *one, size_t length, const uint8_t *other, size_t other_length)
{
    const int order = memcmp(one, other, length < other_length ? length : other_length);
    return order ? order : (length > other_length) - (length < other_length);
}

/* The first eight bytes of a token as a number that sorts as they do; zeros where it is shorter. */
static inline uint64_t sort_prefix(const uint8_t *bytes, size_t length)
{
    if (length == 0)
        return 0;
    return swapped(length >= 8 ? load_word(bytes) : load_tail(bytes, length));
}

#endif
