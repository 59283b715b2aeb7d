#include "tests/support/malformed_files.h"

#include "tests/support/file_builder.h"

#include <cmath>
#include <limits>

using attnscope::ErrorKind;

namespace {

const std::string f4 = "F32";

std::string repeated(const std::string& text, std::size_t times)
{
    std::string out;
    for (std::size_t i = 0; i < times; ++i)
        out += text;
    return out;
}

std::string manyTensors(std::size_t count)
{
    std::string header = "{";
    for (std::size_t i = 0; i < count; ++i)
        header += (i > 0 ? "," : "") + build::field("t" + std::to_string(i), f4, "[0]", "[0,0]");
    return header + "}";
}

/// A tensor with one field changed: tensorWith("shape", "[-1]").
std::string tensorWith(const std::string& name, const std::string& value)
{
    std::string text = "{\"a\":{";
    for (const auto& [key, right] :
         {std::pair<std::string, std::string>{"dtype", "\"F32\""}, {"shape", "[1]"}, {"data_offsets", "[0,4]"}})
        text += (key == "dtype" ? "\"" : ",\"") + key + "\":" + (key == name ? value : right);
    return text + "}}";
}

std::string nan4() { return build::floats({0, 1, 2, std::numeric_limits<float>::quiet_NaN(), 4, 5}); }

/// q and k as F32, their data counting up.
std::string pairOf(const std::string& q, std::size_t qCount, const std::string& k, std::size_t kCount)
{
    const std::string middle = std::to_string(4 * qCount), end = std::to_string(4 * (qCount + kCount));
    return build::safetensors("{" + build::field("q", f4, q, "[0," + middle + "]") + "," +
                                  build::field("k", f4, k, "[" + middle + "," + end + "]") + "}",
                              build::counting(qCount + kCount));
}

}  // namespace

std::vector<MalformedFile> malformedSafetensors()
{
    using build::field;
    using build::little;
    const std::string ext = "safetensors";
    std::vector<MalformedFile> rows;
    const auto raw = [&](const std::string& name, const std::string& bytes, ErrorKind kind, const std::string& says) {
        rows.push_back({name, ext, bytes, kind, says});
    };
    const auto header = [&](const std::string& name, const std::string& text, ErrorKind kind, const std::string& says,
                            std::size_t data = 0) {
        raw(name, build::safetensors(text, std::string(data, '\0')), kind, says);
    };
    raw("empty", "", ErrorKind::HeaderTooSmall, "only 0 bytes");
    raw("seven bytes", std::string(7, '\0'), ErrorKind::HeaderTooSmall, "only 7 bytes");
    raw("header over the limit", little(100'000'001, 8) + "{}", ErrorKind::HeaderTooLarge, "100000001");
    raw("header of 2^63 bytes", little(std::uint64_t{1} << 63, 8) + "{}", ErrorKind::HeaderTooLarge,
        "9223372036854775808");
    raw("header of 2^64 - 1 bytes", std::string(8, '\xff') + "{}", ErrorKind::HeaderTooLarge, "18446744073709551615");
    raw("header one byte past the end", little(3, 8) + "{}", ErrorKind::InvalidHeaderLength, "a header of 3 bytes");
    raw("header at the limit in a short file", little(100'000'000, 8) + "{", ErrorKind::InvalidHeaderLength,
        "past the end");

    header("no header", "", ErrorKind::InvalidHeader, "start with '{'");
    header("an array", "[]", ErrorKind::InvalidHeader, "start with '{'");
    header("a space first", " {}", ErrorKind::InvalidHeader, "start with '{'");
    header("a byte that is not UTF-8", "{\"a\xff\":1}", ErrorKind::InvalidHeader, "byte 11");
    header("overlong UTF-8", "{\"\xc0\x80\":1}", ErrorKind::InvalidHeader, "byte 10");
    header("UTF-8 cut short", "{\"\xe2\x82\":1}", ErrorKind::InvalidHeader, "not JSON");
    header("half of a surrogate pair", "{\"\\ud800\":1}", ErrorKind::InvalidHeader, "not JSON");
    header("not closed", "{\"a\":{", ErrorKind::InvalidHeader, "not JSON");
    header("a comma too many", "{" + field("a", f4, "[]", "[0,4]") + ",}", ErrorKind::InvalidHeader, "not JSON", 4);
    header("single quotes", "{'a':1}", ErrorKind::InvalidHeader, "not JSON from byte 9");
    header("NaN", "{\"a\":NaN}", ErrorKind::InvalidHeader, "not JSON");
    header("a comment", "{/**/}", ErrorKind::InvalidHeader, "not JSON");
    header("nested five deep", "{\"a\":{\"x\":[[[1]]]}}", ErrorKind::InvalidHeader, "nests more than 4");
    header("nested a million deep", "{\"a\":{\"x\":" + std::string(1'000'000, '['), ErrorKind::InvalidHeader,
           "nests more than 4");
    header("objects a million deep", repeated("{\"a\":", 1'000'000), ErrorKind::InvalidHeader, "");
    header("100 001 tensors", manyTensors(100'001), ErrorKind::InvalidHeader, "more than 100000");
    header("a name twice", "{" + field("a", f4, "[1]", "[0,4]") + "," + field("a", f4, "[1]", "[4,8]") + "}",
           ErrorKind::InvalidHeader, "'a' is there twice", 8);
    header("a name twice, once escaped",
           "{" + field("a", f4, "[1]", "[0,4]") + "," + field("\\u0061", f4, "[1]", "[4,8]") + "}",
           ErrorKind::InvalidHeader, "'a' is there twice", 8);
    header("a field twice", "{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F16\"}}", ErrorKind::InvalidHeader, "dtype twice");
    header("metadata twice", "{\"__metadata__\":{},\"__metadata__\":{}}", ErrorKind::InvalidHeader, "twice");
    header("a key of the metadata twice", "{\"__metadata__\":{\"x\":\"1\",\"x\":\"2\"}}", ErrorKind::InvalidHeader,
           "'x' twice");
    header("a letter after it", "{}x", ErrorKind::InvalidHeader, "not JSON");
    header("a line feed after it", "{}\n", ErrorKind::InvalidHeader, "only spaces");
    header("a second object", "{}{}", ErrorKind::InvalidHeader, "not JSON");
    header("a zero byte after it", std::string("{}\0", 3), ErrorKind::InvalidHeader, "zero byte at byte 10");
    header("text hidden behind a zero byte", std::string("{}\0{,}", 6), ErrorKind::InvalidHeader,
           "zero byte at byte 10");

    header("no dtype", "{\"a\":{\"shape\":[],\"data_offsets\":[0,4]}}", ErrorKind::InvalidHeader, "'a' has no dtype",
           4);
    header("no shape", "{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", ErrorKind::InvalidHeader,
           "'a' has no shape", 4);
    header("no offsets", "{\"a\":{\"dtype\":\"F32\",\"shape\":[]}}", ErrorKind::InvalidHeader,
           "'a' has no data_offsets");
    header("a tensor that is a number", "{\"a\":1}", ErrorKind::InvalidHeader, "'a' must not be a number");
    header("a tensor that is an array", "{\"a\":[]}", ErrorKind::InvalidHeader, "'a' must not be an array");
    header("a dtype that is a number", tensorWith("dtype", "4"), ErrorKind::InvalidHeader, "'dtype' must not be", 4);
    header("metadata that is an array", "{\"__metadata__\":[]}", ErrorKind::InvalidHeader, "__metadata__");
    header("metadata of numbers", "{\"__metadata__\":{\"n\":5}}", ErrorKind::InvalidHeader,
           "__metadata__: 'n' must not be a number");
    for (const std::string wrong : {"[0]", "[0,4,8]", "[\"0\",4]", "[-4,0]", "[0,4.0]", "[0,4e0]",
                                    "[0,18446744073709551616]", "[0,null]", "[0,true]", "[[0],4]", "4", "{}"})
        header("offsets " + wrong, tensorWith("data_offsets", wrong), ErrorKind::InvalidHeader, "data_offsets", 4);
    for (const std::string wrong :
         {"1", "[-1]", "[1.0]", "[1e0]", "[18446744073709551616]", "[\"1\"]", "[null]", "[[1]]", "\"[1]\""})
        header("shape " + wrong, tensorWith("shape", wrong), ErrorKind::InvalidHeader, "'shape' must not be", 4);
    header("33 axes", tensorWith("shape", "[1" + repeated(",1", 32) + "]"), ErrorKind::InvalidHeader,
           "more than 32 axes", 4);

    header("an end before its begin", tensorWith("data_offsets", "[4,0]"), ErrorKind::InvalidOffset, "end before", 4);
    header("an overlap", "{" + field("a", f4, "[2]", "[0,8]") + "," + field("b", f4, "[2]", "[4,12]") + "}",
           ErrorKind::InvalidOffset, "'b'", 12);
    header("the same bytes twice", "{" + field("a", f4, "[2]", "[0,8]") + "," + field("b", f4, "[2]", "[0,8]") + "}",
           ErrorKind::InvalidOffset, "overlap", 8);
    header("a gap", "{" + field("a", f4, "[1]", "[0,4]") + "," + field("b", f4, "[1]", "[8,12]") + "}",
           ErrorKind::InvalidOffset, "gap", 12);
    header("a gap at the start", tensorWith("data_offsets", "[4,8]"), ErrorKind::InvalidOffset, "gap", 8);
    header("data that no tensor has", tensorWith("shape", "[1]"), ErrorKind::InvalidOffset, "end at byte 4 of the data",
           5);
    header("data cut short", tensorWith("shape", "[1]"), ErrorKind::InvalidOffset, "past the data of 3", 3);
    header("an end of 2^64 - 1", tensorWith("data_offsets", "[0,18446744073709551615]"), ErrorKind::InvalidOffset,
           "past the data", 4);
    header("data without tensors", "{}", ErrorKind::InvalidOffset, "which has 4", 4);

    header("a product that wraps to 0", tensorWith("shape", "[4294967296,4294967296]"), ErrorKind::TensorInvalid,
           "overflows", 4);
    header("a product that wraps to 1", tensorWith("shape", "[6700417,18440939,149287]"), ErrorKind::TensorInvalid,
           "'a'", 4);
    header("an overflow hidden by a zero", "{" + field("a", f4, "[4294967296,4294967296,0]", "[0,0]") + "}",
           ErrorKind::TensorInvalid, "overflows");
    header("a product whose bytes overflow", tensorWith("shape", "[4611686018427387905]"), ErrorKind::TensorInvalid,
           "overflows", 4);
    header("an extent of 2^63", tensorWith("shape", "[9223372036854775808]"), ErrorKind::TensorInvalid, "too large", 4);
    header("fewer bytes than the shape", tensorWith("shape", "[2]"), ErrorKind::TensorInvalid, "F32 [2] takes 8 bytes",
           4);
    header("more bytes than the shape", tensorWith("shape", "[0]"), ErrorKind::TensorInvalid, "takes 0 bytes", 4);
    for (const std::string dtype : {"F8_E8M0", "Q8_0", "unknown", "C64", "f32", "", "F128"})
        header("dtype '" + dtype + "'", tensorWith("dtype", "\"" + dtype + "\""), ErrorKind::UnsupportedDtype,
               "dtype '" + dtype + "'", 4);
    raw("truth values that are none",
        build::safetensors("{" + field("a", "BOOL", "[4]", "[0,4]") + "}", std::string("\1\0\2\1", 4)),
        ErrorKind::DataError, "neither 0 nor 1");
    header("an unknown dtype does not excuse its offsets", "{" + field("a", "X", "[1]", "[4,8]") + "}",
           ErrorKind::InvalidOffset, "gap", 8);
    return rows;
}

std::vector<MalformedFile> malformedGguf()
{
    using namespace build;
    std::vector<MalformedFile> rows;
    const auto raw = [&](const std::string& name, const std::string& bytes, ErrorKind kind, const std::string& says) {
        rows.push_back({name, "gguf", bytes, kind, says});
    };
    const Gguf right{.values = {ggufText("general.architecture", "llama")},
                     .tensors = {{"a", {4}, 0, 0}, {"b", {32}, 8, 32}},
                     .data = floats({1, 2, 3, 4}) + std::string(16, '\0') + std::string(34, '\1')};
    const auto with = [&](const std::string& name, const auto& change, ErrorKind kind, const std::string& says) {
        Gguf wrong = right;
        change(wrong);
        raw(name, gguf(wrong), kind, says);
    };
    const std::string whole = gguf(right);
    constexpr std::uint64_t huge = ~std::uint64_t{0};
    raw("no GGUF", "GGUX" + whole.substr(4), ErrorKind::BadHeader, "is not a GGUF file, or it is damaged");
    raw("empty", "", ErrorKind::BadHeader, "is not a GGUF file");
    raw("magic alone", "GGUF", ErrorKind::Truncated, "past the end of the file of 4 bytes");
    for (const std::size_t length : {std::size_t{7}, std::size_t{23}, std::size_t{40}, whole.find("llama") + 2})
        raw("cut after " + std::to_string(length), whole.substr(0, length),
            length < 24 ? ErrorKind::Truncated : ErrorKind::BadHeader, "");
    raw("data cut short", whole.substr(0, whole.size() - 1), ErrorKind::Truncated, "'b'");
    for (const std::uint32_t version : {0U, 1U, 4U})
        with(
            "version " + std::to_string(version), [&](Gguf& g) { g.version = version; }, ErrorKind::BadHeader,
            "give version " + std::to_string(version));
    with(
        "big endian", [](Gguf& g) { g.version = 0x03000000; }, ErrorKind::BadHeader, "big endian");
    for (const std::uint64_t count : {std::uint64_t{1000}, huge, huge / 24 + 1}) {
        with(
            std::to_string(count) + " tensors", [&](Gguf& g) { g.tensorCount = count; }, ErrorKind::BadHeader,
            "declares " + std::to_string(count) + " tensors");
        with(
            std::to_string(count) + " values", [&](Gguf& g) { g.valueCount = count; }, ErrorKind::BadHeader,
            "and " + std::to_string(count) + " values");
    }
    const auto value = [&](const std::string& name, const std::string& bytes, const std::string& says,
                           ErrorKind kind = ErrorKind::BadHeader) {
        with(
            name, [&](Gguf& g) { g.values.push_back(bytes); }, kind, says);
    };
    value("a key of 2^64 - 1 bytes", little(huge, 8) + "k", "declares 18446744073709551615 bytes");
    value("a key of 65536 bytes", little(65536, 8) + std::string(65536, 'k') + little(4, 4) + little(1, 4),
          "more than is allowed");
    value("a text of 2^63 bytes", ggufKey("t") + little(8, 4) + little(huge / 2 + 1, 8), "past the end");
    value("a type that is none", ggufKey("t") + little(13, 4) + little(0, 8), "type 13");
    value("a truth value of 2", ggufKey("t") + little(7, 4) + little(2, 1), "neither 0 nor 1");
    value("2^64 - 1 texts", ggufKey("t") + little(9, 4) + little(8, 4) + little(huge, 8), "members of type 8");
    value("2^61 numbers, 8 bytes each", ggufKey("t") + little(9, 4) + little(10, 4) + little(huge / 8 + 1, 8),
          "members of type 10");
    value("members of a type that is none", ggufKey("t") + little(9, 4) + little(99, 4) + little(1, 8),
          "members of type 99");
    std::string nest;
    for (int level = 0; level < 4; ++level)
        nest += little(9, 4) + little(1, 8);
    value("arrays in arrays", ggufKey("t") + little(9, 4) + nest + little(0, 4) + little(0, 8), "arrays in arrays");
    value("a value twice", ggufText("general.architecture", "llama"), "is there twice", ErrorKind::BadName);
    for (const std::uint32_t alignment : {0U, 3U, 1U << 21, 1U << 31})
        value("an alignment of " + std::to_string(alignment),
              ggufKey("general.alignment") + little(4, 4) + little(alignment, 4), "general.alignment must be");
    value("an alignment in words", ggufText("general.alignment", "32"), "general.alignment must be");

    const auto tensor = [&](const std::string& name, const GgufTensor& wrong, ErrorKind kind, const std::string& says) {
        with(
            name, [&](Gguf& g) { g.tensors[1] = wrong; }, kind, says);
    };
    tensor("a tensor twice", {"a", {1}, 0, 32}, ErrorKind::BadName, "'a' is there twice");
    tensor("5 axes", {"b", {1, 1, 1, 1, 1}, 0, 32}, ErrorKind::TensorInvalid, "5 axes");
    tensor("an extent of 2^63", {"b", {huge / 2 + 1}, 0, 32}, ErrorKind::TensorInvalid, "too large");
    tensor("a product that wraps", {"b", {1ULL << 32, 1ULL << 32}, 0, 32}, ErrorKind::TensorInvalid, "overflows");
    tensor("a product that a 0 hides", {"b", {1ULL << 32, 1ULL << 32, 0}, 0, 32}, ErrorKind::TensorInvalid,
           "overflows");
    tensor("rows that are no blocks", {"b", {33}, 8, 32}, ErrorKind::TensorInvalid, "no blocks of 32");
    tensor("a number that is no block", {"b", {}, 12, 32}, ErrorKind::TensorInvalid, "no blocks of 256");
    tensor("an offset between", {"b", {1}, 0, 33}, ErrorKind::InvalidOffset, "no multiple of 32");
    tensor("an offset of 2^64 - 32", {"b", {1}, 0, huge - 31}, ErrorKind::InvalidOffset, "past the data");
    tensor("data past the end", {"b", {1024}, 0, 32}, ErrorKind::Truncated, "past the data");
    tensor("one upon another", {"b", {1}, 0, 0}, ErrorKind::InvalidOffset, "lie upon each other");
    tensor("a type that is not read", {"b", {256}, 16, 32}, ErrorKind::UnsupportedDtype, "IQ2_XXS");
    tensor("a type that nobody knows", {"b", {1}, 77, 32}, ErrorKind::UnsupportedDtype, "type 77");
    return rows;
}

std::vector<MalformedFile> malformedNpy()
{
    using build::npyDict;
    std::vector<MalformedFile> rows;
    const auto raw = [&](const std::string& name, const std::string& bytes, ErrorKind kind, const std::string& says) {
        rows.push_back({name, "npy", bytes, kind, says});
    };
    const auto dict = [&](const std::string& name, const std::string& text, ErrorKind kind, const std::string& says,
                          std::size_t data = 4) { raw(name, build::npy(text, std::string(data, '\0')), kind, says); };
    const std::string good = npyDict("<f4", "(1,)");
    raw("empty", "", ErrorKind::BadHeader, "magic");
    raw("another magic", "\x93NUMPX" + build::npy(good).substr(6), ErrorKind::BadHeader, "bytes 0-5");
    raw("magic alone", "\x93NUMPY", ErrorKind::BadHeader, "ends within the header at byte 6");
    raw("no length", build::npy(good).substr(0, 9), ErrorKind::BadHeader, "ends within the header");
    raw("no length, version 2", build::npy(good, "", 2).substr(0, 11), ErrorKind::BadHeader, "ends within the header");
    raw("version 0.0", build::npy(good, "abcd", 0), ErrorKind::BadHeader, "version 0.0");
    raw("version 1.1", build::npy(good, "abcd", 1, 1), ErrorKind::BadHeader, "version 1.1");
    raw("version 4.0", build::npy(good, "abcd", 4), ErrorKind::BadHeader, "version 4.0");
    raw("version 255.255", build::npy(good, "abcd", 255, 255), ErrorKind::BadHeader, "version 255.255");
    raw("header over 10 000", build::npy(good + std::string(10'000, ' '), "abcd"), ErrorKind::BadHeader,
        "over the limit of 10000");
    raw("header of 4 GiB", build::npy("", "", 2).substr(0, 8) + std::string(4, '\xff'), ErrorKind::BadHeader,
        "4294967295");
    raw("header past the end", build::npy(good).substr(0, 30), ErrorKind::BadHeader, "past the end");
    dict("no header", "", ErrorKind::BadHeader, "expected '{'");
    dict("a list", "[]", ErrorKind::BadHeader, "expected '{'");
    dict("an empty dict", "{}", ErrorKind::BadHeader, "'descr' is missing");
    dict("code", "__import__('os').abort()", ErrorKind::BadHeader, "expected '{'");
    dict("a call as a value", "{'descr': str(4), 'fortran_order': False, 'shape': (1,)}", ErrorKind::BadHeader,
         "'descr' must be a string");
    dict("not closed", "{'descr': '<f4'", ErrorKind::BadHeader, "expected ','");
    dict("a quote not closed", "{'descr: 4}", ErrorKind::BadHeader, "expected a key");
    dict("no colon", "{'descr' '<f4'}", ErrorKind::BadHeader, "expected ':'");
    dict("text after it", good + "x", ErrorKind::BadHeader, "only white space");
    dict("a zero byte after it", good + std::string(1, '\0'), ErrorKind::BadHeader, "only white space");
    dict("no descr", "{'fortran_order': False, 'shape': (1,)}", ErrorKind::BadHeader, "'descr' is missing");
    dict("no order", "{'descr': '<f4', 'shape': (1,)}", ErrorKind::BadHeader, "'fortran_order' is missing");
    dict("no shape", "{'descr': '<f4', 'fortran_order': False}", ErrorKind::BadHeader, "'shape' is missing");
    dict("another key", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}", ErrorKind::BadHeader,
         "'x' is not one of");
    dict("a key twice", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (1,)}", ErrorKind::BadHeader,
         "'shape' is there twice");
    dict("an order of 1", npyDict("<f4", "(1,)", "1"), ErrorKind::BadHeader, "True or False");
    dict("a shape that is a number", npyDict("<f4", "1"), ErrorKind::BadHeader, "must be a tuple");
    dict("a shape in mere parentheses", npyDict("<f4", "(1)"), ErrorKind::BadHeader, "must be a tuple");
    dict("a shape that is a list", npyDict("<f4", "[1]"), ErrorKind::BadHeader, "must be a tuple");
    dict("a fractional extent", npyDict("<f4", "(1.5,)"), ErrorKind::BadHeader, "'shape'");
    dict("an extent in quotes", npyDict("<f4", "('1',)"), ErrorKind::BadHeader, "expected a whole number");
    dict("two commas", npyDict("<f4", "(1,,)"), ErrorKind::BadHeader, "expected a whole number");
    dict("a shape not closed", "{'shape': (1,", ErrorKind::BadHeader, "expected a whole number");

    dict("objects", npyDict("|O", "(1,)"), ErrorKind::UnsupportedDtype, "refusing to unpickle");
    dict("records", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", ErrorKind::UnsupportedDtype,
         "structured");
    for (const std::string descr :
         {"|S4", "<U1", "<c8", "|V2", "<M8[ns]", "<m8[s]", "<f16", "<i3", "|f4", "<f", "f44", "<", "", "<f4x"})
        dict("descr '" + descr + "'", npyDict(descr, "(1,)"), ErrorKind::UnsupportedDtype, "descr '" + descr + "'");

    dict("a negative extent", npyDict("<f4", "(-1,)"), ErrorKind::BadShape, "negative");
    dict("an extent of True", npyDict("<f4", "(True,)"), ErrorKind::BadShape, "truth value");
    dict("33 axes", npyDict("<f4", "(" + repeated("1,", 33) + ")"), ErrorKind::BadShape, "more than 32");
    dict("a product that wraps to 0", npyDict("<f4", "(4294967296, 4294967296)"), ErrorKind::BadShape, "overflows");
    dict("an overflow hidden by a zero", npyDict("<f4", "(0, 4294967296, 4294967296)"), ErrorKind::BadShape,
         "overflows", 0);
    dict("an extent of 2^63", npyDict("<f4", "(9223372036854775808,)"), ErrorKind::BadShape,
         "over 9223372036854775807");
    dict("an extent of 40 digits", npyDict("<f4", "(" + std::string(40, '9') + ",)"), ErrorKind::BadShape,
         "over 9223372036854775807");
    dict("a terabyte declared", npyDict("<f4", "(274877906944,)"), ErrorKind::Truncated, "takes 1099511627776 bytes");
    dict("data short by one byte", good, ErrorKind::Truncated, "there are 3", 3);
    dict("no data", good, ErrorKind::Truncated, "there are 0", 0);
    dict("a byte after the data", good, ErrorKind::TrailingData, "there are 5", 5);
    dict("data after a scalar", npyDict("<f8", "()"), ErrorKind::TrailingData, "F64 [] takes 8 bytes", 16);
    return rows;
}

std::vector<MalformedFile> malformedNpz()
{
    std::vector<MalformedFile> rows;
    const auto raw = [&](const std::string& name, const std::string& bytes, ErrorKind kind, const std::string& says) {
        rows.push_back({name, "npz", bytes, kind, says});
    };
    const auto one = [&](const std::string& name, const build::ZipEntry& entry, ErrorKind kind,
                         const std::string& says) { raw(name, build::zip({entry}), kind, says); };
    const std::string good = build::npy(build::npyDict("<f4", "(2,)"), build::floats({1, 2}));
    const auto size = static_cast<std::int64_t>(good.size());
    raw("empty", "", ErrorKind::BadArchive, "no readable zip archive");
    raw("text", "not an archive", ErrorKind::BadArchive, "no readable zip archive");
    raw("no directory", "PK\3\4 and then nothing", ErrorKind::BadArchive, "no readable zip archive");
    raw("cut in the middle", build::zip({{"q.npy", good}}).substr(0, 100), ErrorKind::BadArchive,
        "no readable zip archive");
    one("3 GiB declared by 90 bytes", {.name = "q.npy", .content = good, .deflate = true, .declared = 3'000'000'000},
        ErrorKind::ArchiveLimit, "ratio over 200");
    {
        std::vector<build::ZipEntry> bombs;  // each within the ratio, together over the budget
        for (int i = 0; i < 5; ++i)
            bombs.push_back({.name = "q" + std::to_string(i) + ".npy",
                             .content = good,
                             .deflate = true,
                             .declared = 4'000'000'000,
                             .packed = 20'000'001});
        raw("entries that take more than the file has", build::zip(bombs), ErrorKind::BadArchive, "overlap");
    }
    {
        std::vector<build::ZipEntry> many;
        for (int i = 0; i < 1025; ++i)
            many.push_back({.name = std::to_string(i) + ".txt", .content = ""});
        raw("1 025 entries", build::zip(many), ErrorKind::ArchiveLimit, "1025 entries");
    }
    for (const std::string name : {"../q.npy", "a/../../q.npy", "/q.npy", "..\\q.npy", "C:q.npy", ".."})
        one("name " + name, {.name = name, .content = good}, ErrorKind::BadName, "entry '");
    one("a line feed in a name", {.name = "a\nb.npy", .content = good}, ErrorKind::BadName, "entry 'a\\x0ab.npy'");
    one("no name", {.name = "", .content = good}, ErrorKind::BadName, "entry ''");
    one("encrypted", {.name = "q.npy", .content = good, .flags = 1}, ErrorKind::BadArchive, "encrypted");
    one("bzip2", {.name = "q.npy", .content = good, .method = 12}, ErrorKind::BadArchive, "method 12");
    one("method 77", {.name = "q.npy", .content = good, .method = 77}, ErrorKind::BadArchive, "method 77");
    one("stored with two sizes", {.name = "q.npy", .content = good, .declared = size + 1}, ErrorKind::BadArchive,
        "two sizes");
    one("CRC wrong, stored", {.name = "q.npy", .content = good, .crc = 1}, ErrorKind::BadArchive, "CRC");
    one("CRC wrong, deflated", {.name = "q.npy", .content = good, .deflate = true, .crc = 1}, ErrorKind::BadArchive,
        "CRC");
    one("no deflate stream", {.name = "q.npy", .content = good, .method = 8}, ErrorKind::BadArchive, "'q.npy'");
    {
        // the header inside is right for what is declared, the stream is longer or shorter
        const std::string three = build::npy(build::npyDict("<f4", "(3,)"), build::floats({1, 2, 3}));
        const auto shorter = static_cast<std::int64_t>(good.size());
        one("inflates to more", {.name = "q.npy", .content = good + "more", .deflate = true, .declared = shorter},
            ErrorKind::BadArchive, "'q.npy'");
        one("inflates to less",
            {.name = "q.npy",
             .content = three.substr(0, three.size() - 4),
             .deflate = true,
             .declared = static_cast<std::int64_t>(three.size())},
            ErrorKind::BadArchive, "'q.npy'");
    }
    raw("a name twice", build::zip({{"q.npy", good}, {"q.npy", good}}), ErrorKind::BadName, "two entries");
    const std::string large = build::npy(build::npyDict("<f4", "(1000,)"), build::counting(1000));
    raw("two names for the same bytes",
        build::zip({{.name = "q.npy", .content = large}, {.name = "k.npy", .content = large, .sharedWith = 0}}),
        ErrorKind::BadArchive, "'k.npy'");
    one("objects inside", {.name = "q.npy", .content = build::npy(build::npyDict("|O", "(1,)"), "\x80\4.")},
        ErrorKind::UnsupportedDtype, "tensor 'q'");
    one("data short inside", {.name = "q.npy", .content = good.substr(0, good.size() - 1)}, ErrorKind::Truncated,
        "tensor 'q'");
    one("data after the data inside", {.name = "q.npy", .content = good + "x", .deflate = true},
        ErrorKind::TrailingData, "tensor 'q'");
    one("an empty entry", {.name = "q.npy", .content = ""}, ErrorKind::BadHeader, "tensor 'q'");
    one("a PyTorch checkpoint", {.name = "archive/data.pkl", .content = "\x80\2}q."}, ErrorKind::UnsupportedDtype,
        "refusing to unpickle");
    return rows;
}

std::vector<MalformedFile> malformedHeads()
{
    using build::field;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::vector<MalformedFile> rows;
    const auto heads = [&](const std::string& name, const std::string& bytes, const std::string& says,
                           const std::string& holds = {}) {
        rows.push_back({name, "safetensors", bytes, ErrorKind::DataError, says, holds});
    };
    const auto one = [](const std::string& name, const std::string& shape, const std::vector<float>& values) {
        return build::safetensors("{" + field(name, f4, shape, "[0," + std::to_string(4 * values.size()) + "]") + "}",
                                  build::floats(values));
    };
    heads("NaN in q",
          build::safetensors("{" + field("q", f4, "[3,2]", "[0,24]") + "," + field("k", f4, "[3,2]", "[24,48]") + "}",
                             nan4() + build::counting(6)),
          "'q': NaN at [1, 1]");
    heads(
        "NaN in k, tokens before heads",
        build::safetensors("{" + field("q", f4, "[3,1,2]", "[0,24]") + "," + field("k", f4, "[3,1,2]", "[24,48]") + "}",
                           build::counting(6) + nan4()),
        "'k': NaN at [1, 0, 1]");
    heads("infinity in k",
          build::safetensors("{" + field("q", f4, "[2,1]", "[0,8]") + "," + field("k", f4, "[2,1]", "[8,16]") + "}",
                             build::floats({1, 2, 3, -infinity})),
          "'k': infinity at [1, 0]");
    heads("too large for float32",
          build::safetensors("{" + field("q", "F64", "[1,1]", "[0,8]") + "," + field("k", f4, "[1,1]", "[8,12]") + "}",
                             build::doubles({1e300}) + build::floats({1})),
          "'q': infinity, or a number too large for float32, at [0, 0]");
    heads("head sizes that differ", pairOf("[4,2]", 8, "[4,3]", 12), "head sizes 2 and 3 differ");
    heads("key heads that do not divide", pairOf("[3,4,1]", 12, "[2,3,1]", 6), "2 key heads do not divide 3");
    heads("more key heads than query heads", pairOf("[2,4,1]", 8, "[4,3,1]", 12), "4 key heads do not divide 2");
    heads("batches that differ", pairOf("[2,1,4,1]", 8, "[1,1,4,1]", 4), "batches of 2 and 1");
    heads("one axis", pairOf("[4]", 4, "[4]", 4), "no tensors are named like queries");
    heads("five axes", pairOf("[1,1,1,4,1]", 4, "[1,1,1,4,1]", 4), "no tensors are named like queries");
    heads("no tokens", pairOf("[0,2]", 0, "[4,2]", 8), "extent 0 at axis 0");
    heads("no keys", pairOf("[4,2]", 8, "[0,2]", 0), "extent 0 at axis 0");
    heads("no heads", pairOf("[0,4,2]", 0, "[0,4,2]", 0), "extent 0 at axis 0");
    heads("head size 0", pairOf("[2,4,0]", 0, "[2,4,0]", 0), "extent 0 at axis 2");
    heads("nothing named like heads", one("x", "[2,3]", {1, 2, 3, 4, 5, 6}), "no tensors are named like queries");
    heads("negative weights", one("attn_weights", "[2,2]", {1, 0, 2, -1}),
          "'attn_weights': a negative weight at [1, 1]", "weights");
    heads("NaN in weights", one("weights", "[1,2,2]", {1, 0, std::nanf(""), 1}), "NaN at [0, 1, 0]", "weights");
    heads("infinity in logits", one("logits", "[2,2]", {1, -infinity, infinity, 1}), "infinity at [1, 0]", "logits");
    return rows;
}
