// What every shader knows of a tile. Goes before each of them, after the #version and the sizes (core/gpu/programs.cpp).
//
// z[row * tileKeys + key - tileBegin] are the products of `blockRows` query rows with the keys from tileBegin on.

struct Row {
    float scale, beta, shift;
    int position, sinkEnd, begin, end;   // sees keys [0, sinkEnd) and [begin, end)
};

layout(std430, binding = 0) buffer Products { float z[]; };
layout(std430, binding = 1) readonly buffer Rows { Row rows[]; };   // (tracks, blockRows)

uniform int tileBegin;
uniform float softCap, slope;   // 0: none

const float log2e = 1.4426950408889634;

bool sees(Row row, int key) { return key < row.sinkEnd || (key >= row.begin && key < row.end); }

// Devices make tanh of exponentials, which leaves a small t few digits: there, a series to a unit in the last place.
float hyperbolicTangent(float t)
{
    float s = t * t;
    return abs(t) < 0.3 ? t * (1.0 - s * (1.0 / 3.0 - s * (2.0 / 15.0 - s * (17.0 / 315.0 - s * (62.0 / 2835.0)))))
                        : tanh(t);
}

// The logit of a key whose scaled product is x.
float logit(Row row, int key, float x)
{
    if (softCap > 0.0)
        x = softCap * hyperbolicTangent(x / softCap);
    return x - slope * float(abs(row.position - key));
}
