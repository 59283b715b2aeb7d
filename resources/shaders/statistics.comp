// Adds the keys [from, to) of one tile to the statistics of a row: one workgroup a row, every 64th key a thread.
//
// First what the order of the logits decides: largest, smallest, the 16 largest. Then the sums of e = exp(beta (x - m)) and
// its kin, m the largest logit of these keys, so that nothing overflows. Both go up a tree of the 64 threads: no sum has
// more than 64 terms before it is added to another of its own size, which keeps float32 within a few units of its last place.
// The first thread adds the result to what slot `source` holds of the keys before, and leaves it in slot `target`.

layout(local_size_x = threads) in;

struct Sums {
    float largest, smallest;   // of x
    float product;             // largest |scale z|: beyond a bound float32 is not enough, and the row is done again elsewhere
    int argmax;                // first key of the largest x
    float e, ev, squares, roots, powers, distances, sinks;   // e = 2^v, v = log2(e) beta (x - largest)
    float top[topCount];       // falling
};

layout(std430, binding = 2) buffer Summaries { Sums summaries[]; };   // (slots, blockRows)

uniform int track, source, target, from, to;   // source < 0: no keys before
uniform float order;                           // of `powers`; 0: not wanted

const float none = -3e38;

shared vec4 sharedA[threads], sharedB[threads];
shared int sharedArgmax[threads];
// In a place of its own, to which nothing is written after it is read: when it stood in sharedA, to which the sums go
// next, half the threads of an H200 (driver 580) read those, barriers and memoryBarrierShared() or not.
shared float sharedLargest;
shared float sharedTop[topCount][threads];

void insert(inout float top[topCount], float x)
{
    if (x <= top[topCount - 1])
        return;
    for (int k = 0; k < topCount; ++k) {
        float lower = min(top[k], x);
        top[k] = max(top[k], x);
        x = lower;
    }
}

// The largest of two falling lists: larger of a[k] and b[15 - k] picks them, up and down; a bitonic merge sorts them.
void mergeTop(inout float a[topCount], float b[topCount])
{
    for (int k = 0; k < topCount; ++k)
        a[k] = max(a[k], b[topCount - 1 - k]);
    for (int step = topCount / 2; step > 0; step /= 2)
        for (int k = 0; k < topCount; ++k)
            if ((k & step) == 0) {
                float upper = max(a[k], a[k + step]);
                a[k + step] = min(a[k], a[k + step]);
                a[k] = upper;
            }
}

void mergeOrder(inout Sums a, Sums b)
{
    if (b.largest > a.largest || (b.largest == a.largest && b.argmax < a.argmax))
        a.argmax = b.argmax;
    a.largest = max(a.largest, b.largest);
    a.smallest = min(a.smallest, b.smallest);
    a.product = max(a.product, b.product);
    mergeTop(a.top, b.top);
}

Sums empty()
{
    Sums s;
    s.largest = none;
    s.smallest = -none;
    s.product = 0.0;
    s.argmax = -1;
    s.e = s.ev = s.squares = s.roots = s.powers = s.distances = s.sinks = 0.0;
    for (int k = 0; k < topCount; ++k)
        s.top[k] = none;
    return s;
}

// Sums taken relative to another largest logit.
void moveShift(inout Sums s, float largest, float beta)
{
    if (s.e == 0.0)
        return;
    float by = log2e * beta * (s.largest - largest);
    float f = exp2(by);
    s.ev = f * (s.ev + by * s.e);
    s.e *= f;
    s.squares *= f * f;
    s.roots *= exp2(0.5 * by);
    s.powers *= order > 0.0 ? exp2(order * by) : 0.0;
    s.distances *= f;
    s.sinks *= f;
}

// Of the keys of this thread: what their order decides.
Sums orderOfKeys(Row row, int base)
{
    Sums s = empty();
    for (int key = from + int(gl_LocalInvocationID.x); key < to; key += threads) {
        if (!sees(row, key))
            continue;
        float scaled = row.scale * z[base + key];
        float x = logit(row, key, scaled);
        if (x > s.largest) {
            s.largest = x;
            s.argmax = key;
        }
        s.smallest = min(s.smallest, x);
        s.product = max(s.product, abs(scaled));
        insert(s.top, x);
    }
    return s;
}

// Up the tree; the first thread then has the order of all keys, and all threads the largest logit.
float gatherOrder(inout Sums s)
{
    int thread = int(gl_LocalInvocationID.x);
    for (int reach = threads / 2; reach > 0; reach /= 2) {
        sharedA[thread] = vec4(s.largest, s.smallest, s.product, 0.0);
        sharedArgmax[thread] = s.argmax;
        for (int k = 0; k < topCount; ++k)
            sharedTop[k][thread] = s.top[k];
        barrier();
        if (thread < reach) {
            Sums other = empty();
            other.largest = sharedA[thread + reach].x;
            other.smallest = sharedA[thread + reach].y;
            other.product = sharedA[thread + reach].z;
            other.argmax = sharedArgmax[thread + reach];
            for (int k = 0; k < topCount; ++k)
                other.top[k] = sharedTop[k][thread + reach];
            mergeOrder(s, other);
        }
        barrier();
    }
    if (thread == 0)
        sharedLargest = s.largest;
    barrier();
    return sharedLargest;
}

// The sums relative to the largest logit; the first thread has them of all keys.
void gatherSums(Row row, int base, float largest, inout Sums s)
{
    int thread = int(gl_LocalInvocationID.x);
    vec4 a = vec4(0.0), b = vec4(0.0);
    for (int key = from + thread; key < to; key += threads) {
        if (!sees(row, key))
            continue;
        float x = logit(row, key, row.scale * z[base + key]);
        float v = log2e * row.beta * (x - largest);
        float root = exp2(0.5 * v);
        float e = root * root;
        a += vec4(e, e * v, e * e, root);
        b += vec4(order > 0.0 ? exp2(order * v) : 0.0, e * float(abs(row.position - key)), key < sinkCount ? e : 0.0, 0.0);
    }
    for (int reach = threads / 2; reach > 0; reach /= 2) {
        sharedA[thread] = a;
        sharedB[thread] = b;
        barrier();
        if (thread < reach) {
            a += sharedA[thread + reach];
            b += sharedB[thread + reach];
        }
        barrier();
    }
    s.e = a.x;
    s.ev = a.y;
    s.squares = a.z;
    s.roots = a.w;
    s.powers = b.x;
    s.distances = b.y;
    s.sinks = b.z;
}

void add(inout Sums s, Sums before, float beta)
{
    float both = max(before.largest, s.largest);
    moveShift(before, both, beta);
    moveShift(s, both, beta);
    s.e += before.e;
    s.ev += before.ev;
    s.squares += before.squares;
    s.roots += before.roots;
    s.powers += before.powers;
    s.distances += before.distances;
    s.sinks += before.sinks;
    mergeOrder(s, before);
}

void main()
{
    int index = int(gl_WorkGroupID.x);
    Row row = rows[track * blockRows + index];
    int base = index * tileKeys - tileBegin;
    Sums s = orderOfKeys(row, base);
    float largest = gatherOrder(s);
    gatherSums(row, base, largest, s);
    if (gl_LocalInvocationID.x > 0u)
        return;
    if (source >= 0)
        add(s, summaries[source * blockRows + index], row.beta);
    summaries[target * blockRows + index] = s;
}
