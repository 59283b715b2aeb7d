// Adds the weights w = exp(beta x - shift) of the keys [from, to) of one tile to pixels: a thread has one row and one column
// of pixels. A long pixel is summed in pieces of 64 keys, so that float32 does not tire.

layout(local_size_x = threads) in;

layout(std430, binding = 2) buffer Pixels { float pixels[]; };         // (blockRows, columns)
layout(std430, binding = 3) readonly buffer Columns { int begins[]; };  // first key of every column, and the end

uniform int columns, firstColumn, lastColumn, from, to;
uniform bool largest;   // the largest weight instead of their sum

void main()
{
    int column = firstColumn + int(gl_GlobalInvocationID.x);
    int index = int(gl_WorkGroupID.y);
    if (column >= lastColumn)
        return;
    Row row = rows[index];
    int base = index * tileKeys - tileBegin;
    int end = min(begins[column + 1], to);
    float sum = 0.0, most = 0.0;
    for (int piece = max(begins[column], from); piece < end; piece += 64) {
        float part = 0.0;
        for (int key = piece; key < min(piece + 64, end); ++key) {
            if (!sees(row, key))
                continue;
            float x = logit(row, key, row.scale * z[base + key]);
            float w = exp2(log2e * (row.beta * x - row.shift));
            part += w;
            most = max(most, w);
        }
        sum += part;
    }
    int pixel = index * columns + column;
    pixels[pixel] = largest ? max(pixels[pixel], most) : pixels[pixel] + sum;
}
