// z = q.k for 64 rows by 64 keys a workgroup: a thread makes 4 x 4 of them. Sixteen coordinates at a time stand in shared
// memory across, four rows (or keys) a vector, so that a thread reads two vectors for sixteen products.
//
// With a distance cap the same shader runs again with other vectors, and only where sign * (position - key) >= cap.

layout(local_size_x = 16, local_size_y = 16) in;

layout(std430, binding = 2) readonly buffer Queries { float queries[]; };   // (rowCount, d)
layout(std430, binding = 3) readonly buffer Keys { float keys[]; };         // (keyCount, d), from tileBegin on

uniform int d, rowCount, keyCount;
uniform int firstKey;     // of the first workgroup, a multiple of 64, from tileBegin on
uniform int sign, cap;    // 0, 0: everywhere

shared vec4 query[16][16];   // [coordinate][rows 4 g to 4 g + 3]
shared vec4 key[16][16];

void main()
{
    ivec2 local = ivec2(gl_LocalInvocationID.xy);
    ivec2 corner = 64 * ivec2(gl_WorkGroupID.xy) + ivec2(firstKey, 0);
    ivec2 mine = corner + 4 * local;   // first key and row of this thread

    vec4 sums[4] = vec4[4](vec4(0), vec4(0), vec4(0), vec4(0));
    for (int block = 0; block < d; block += 16) {
        // This thread brings in coordinate block + local.x of four rows and four keys.
        int i = block + local.x;
        for (int c = 0; c < 4; ++c) {
            int row = corner.y + 4 * local.y + c, column = corner.x + 4 * local.y + c;
            query[local.x][local.y][c] = i < d && row < rowCount ? queries[row * d + i] : 0.0;
            key[local.x][local.y][c] = i < d && column < keyCount ? keys[column * d + i] : 0.0;
        }
        barrier();
        for (int c = 0; c < 16; ++c) {
            vec4 q = query[c][local.y], k = key[c][local.x];
            sums[0] += q.x * k;
            sums[1] += q.y * k;
            sums[2] += q.z * k;
            sums[3] += q.w * k;
        }
        barrier();
    }
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
            if (mine.y + r < rowCount && sign * (rows[mine.y + r].position - (tileBegin + mine.x + c)) >= cap)
                z[(mine.y + r) * tileKeys + mine.x + c] = sums[r][c];
}
