// Products of eight-bit integers for AVX-512 VNNI. Nothing of the standard library's templates is used here: what is
// compiled for this processor must not be linked into code for older ones.

#include "core/arithmetic/integer_products.h"

#ifdef __x86_64__
#include <immintrin.h>

namespace attnscope {

namespace {

using Size = std::ptrdiff_t;

constexpr Size block = integerBlock, lanes = 16, rowsAtOnce = 6;
constexpr int offset = 128;  ///< the instruction multiplies unsigned numbers by signed ones

/// x = scale (to - 128) in blocks of 32, scale = max |x| / 127, rounded to nearest even. A block with a number that is
/// not finite has a scale that is none.
void roundRow(const float* x, Size count, std::uint8_t* to, float* scales)
{
    for (Size b = 0; b < count / block; ++b) {
        const __m512 low = _mm512_loadu_ps(x + b * block), high = _mm512_loadu_ps(x + b * block + lanes);
        const float most = _mm512_reduce_max_ps(_mm512_max_ps(_mm512_abs_ps(low), _mm512_abs_ps(high)));
        const __m512 zero = _mm512_setzero_ps();
        const __mmask16 strange = _mm512_cmp_ps_mask(_mm512_mul_ps(low, zero), zero, _CMP_NEQ_UQ) |
                                  _mm512_cmp_ps_mask(_mm512_mul_ps(high, zero), zero, _CMP_NEQ_UQ);
        scales[b] = strange ? __builtin_nanf("") : most / 127;
        const __m512 factor = _mm512_set1_ps(most > 0 && !strange ? 127 / most : 0);
        const __m128i sign = _mm_set1_epi8(static_cast<char>(offset));
        const auto store = [&](const __m512& numbers, std::uint8_t* place) {
            const __m128i whole = _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(_mm512_mul_ps(numbers, factor)));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(place), _mm_xor_si128(whole, sign));
        };
        store(low, to + b * block);
        store(high, to + b * block + lanes);
    }
}

/// Sixteen rows of weights as the loop over them reads them: four numbers of each row beside each other.
struct Panel {
    std::int8_t* numbers;       ///< (blocks, 8, 16, 4)
    float* scales;              ///< (blocks, 16)
    std::int32_t* corrections;  ///< (blocks, 16): -128 times the sum of a block's numbers
};

void pack(NumberFormat format, const std::byte* weights, Size rows, Size blocks, const Panel& panel)
{
    const bool eights = format == NumberFormat::Q8_0;
    const Size bytes = eights ? 34 : 18;  // a scale of half precision, then the numbers
    const auto some = static_cast<__mmask16>((1u << rows) - 1);
    const __m512i stride = _mm512_mullo_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                                              _mm512_set1_epi32(static_cast<int>(blocks * bytes)));
    const auto ofEachRow = [&](Size at) {  // four bytes; of rows that are not there, zeros
        return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), some, stride, weights + at, 1);
    };
    for (Size b = 0; b < blocks; ++b) {
        __m512i sums = _mm512_setzero_si512();
        const auto store = [&](Size four, const __m512i& numbers) {
            _mm512_storeu_si512(panel.numbers + (b * 8 + four) * lanes * 4, numbers);
            sums = _mm512_dpbusd_epi32(sums, _mm512_set1_epi8(1), numbers);
        };
        for (Size four = 0; four < (eights ? 8 : 4); ++four) {
            const __m512i read = ofEachRow(b * bytes + 2 + four * 4);
            if (eights) {
                store(four, read);
                continue;
            }
            // Q4_0: number i in the lower half of byte i, number 16 + i in the upper
            const __m512i half = _mm512_set1_epi8(15), middle = _mm512_set1_epi8(8);
            store(four, _mm512_sub_epi8(_mm512_and_si512(read, half), middle));
            store(four + 4, _mm512_sub_epi8(_mm512_and_si512(_mm512_srli_epi16(read, 4), half), middle));
        }
        const __m512 scales = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(ofEachRow(b * bytes)));
        _mm512_storeu_ps(panel.scales + b * lanes, scales);
        _mm512_storeu_si512(panel.corrections + b * lanes, _mm512_mullo_epi32(sums, _mm512_set1_epi32(-offset)));
    }
}

void multiply(NumberFormat format, const std::byte* weights, Size n, Size inner, const std::uint8_t* rounded,
              const float* scales, Size m, float* c, Size stride, bool accumulate, std::byte* room)
{
    const Size blocks = inner / block, bytes = blocks * (format == NumberFormat::Q8_0 ? 34 : 18);
    const Panel panel{reinterpret_cast<std::int8_t*>(room), reinterpret_cast<float*>(room + blocks * 8 * lanes * 4),
                      reinterpret_cast<std::int32_t*>(room + blocks * 8 * lanes * 4 + blocks * lanes * 4)};
    for (Size first = 0; first < n; first += lanes) {
        const Size outputs = n - first < lanes ? n - first : lanes;
        const auto some = static_cast<__mmask16>((1u << outputs) - 1);
        pack(format, weights + first * bytes, outputs, blocks, panel);
        for (Size top = 0; top < m; top += rowsAtOnce) {
            const Size rows = m - top < rowsAtOnce ? m - top : rowsAtOnce;
            const std::uint8_t* row[rowsAtOnce];
            const float* scale[rowsAtOnce];
            __m512 sums[rowsAtOnce];
            for (Size r = 0; r < rowsAtOnce; ++r) {  // those beyond the last are the first once more
                const Size at = top + (r < rows ? r : 0);
                row[r] = rounded + at * inner;
                scale[r] = scales + at * blocks;
                sums[r] = _mm512_setzero_ps();
            }
            for (Size b = 0; b < blocks; ++b) {
                __m512i whole[rowsAtOnce];
                for (Size r = 0; r < rowsAtOnce; ++r)
                    whole[r] = _mm512_loadu_si512(panel.corrections + b * lanes);
                for (Size four = 0; four < 8; ++four) {
                    const __m512i w = _mm512_loadu_si512(panel.numbers + (b * 8 + four) * lanes * 4);
                    for (Size r = 0; r < rowsAtOnce; ++r) {
                        int x = 0;
                        __builtin_memcpy(&x, row[r] + b * block + four * 4, sizeof x);
                        whole[r] = _mm512_dpbusd_epi32(whole[r], _mm512_set1_epi32(x), w);
                    }
                }
                const __m512 of = _mm512_loadu_ps(panel.scales + b * lanes);
                for (Size r = 0; r < rowsAtOnce; ++r)
                    sums[r] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole[r]),
                                              _mm512_mul_ps(of, _mm512_set1_ps(scale[r][b])), sums[r]);
            }
            for (Size r = 0; r < rows; ++r) {
                float* const to = c + (top + r) * stride + first;
                const __m512 before = accumulate ? _mm512_maskz_loadu_ps(some, to) : _mm512_setzero_ps();
                _mm512_mask_storeu_ps(to, some, _mm512_add_ps(before, sums[r]));
            }
        }
    }
}

}  // namespace

const IntegerProducts avx512IntegerProducts{roundRow, multiply};

}  // namespace attnscope
#endif
