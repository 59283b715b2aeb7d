#pragma once
// Short facts with a closed form, each from one place in the papers.

namespace attnscope {

/// Lemma 2.1 (softmax is not enough): if all logits over temperature lie within `gap` = max - min, every weight lies
/// within e^-gap / n <= p <= e^gap / n. So bounded logits must disperse as n grows.
struct WeightBounds {
    double lower = 0, upper = 1;  ///< upper is at most 1
};
WeightBounds dispersionBounds(double n, double gap);

/// Prop. 3.1 (softmax is not enough): max - min of the logits q.k is at most 2 sigma_Q sigma_K |y| max |x|, with the
/// largest singular values of W_Q and W_K; times the scale on q.k (1 / sqrt d).
double largestGap(double sigmaQ, double sigmaK, double queryNorm, double largestKeyNorm, double scale = 1);

/// InfoScale eq. 18: where the density e^(a x) (1 - x^2)^((d-3)/2) of the cosine of an attended key peaks, a =
/// CosScale's alpha. d < 3: at the end of the range, where the density is infinite or largest.
double cosinePeak(double alpha, int d);

/// Su 2023: d_n = d ln n / ln N, the head size that the inner product "wants" at length n.
double headSizeWanted(double n, double nTrain, int d);

/// Su, "Principle of minimum entropy (VI)", as Su 2023 tells: about 8 ln n dimensions embed n words. He had it from the
/// entropy; the Johnson-Lindenstrauss lemma, to which he sets it, says O(ln n) and no factor.
double embeddingSizeWanted(double n);

/// Root mean square error of the inner product of two unit vectors after a projection to d dimensions by a matrix of
/// N(0, 1/d) entries: sqrt((1 + c^2) / d), c their cosine (Wick's theorem for the four Gaussians).
double projectionError(int d, double cosine);

}  // namespace attnscope
