#include "core/base/papers.h"

namespace attnscope {

// clang-format off
std::span<const Paper> papers()
{
    static const std::vector<Paper> rows{
        {"ASEntmax 2025", "Long-Context Generalization with Sparse Attention", "https://arxiv.org/abs/2506.16640"},
        {"Beltagy et al. 2020", "Longformer: The Long-Document Transformer", "https://arxiv.org/abs/2004.05150"},
        {"Chen et al. 2023", "Extending Context Window of Large Language Models via Positional Interpolation", "https://arxiv.org/abs/2306.15595"},
        {"Chiang & Cholak 2022", "Overcoming a Theoretical Limitation of Self-Attention", "https://arxiv.org/abs/2202.12172"},
        {"Ding et al. 2024", "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens", "https://arxiv.org/abs/2402.13753"},
        {"Dosovitskiy et al. 2021", "An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale", "https://arxiv.org/abs/2010.11929"},
        {"EIE", "Train Short, Test Long in Combinatorial Optimization (entropy-invariant extrapolation), under review", ""},
        {"Han et al. 2023", "LM-Infinite: Zero-Shot Extreme Length Generalization for Large Language Models", "https://arxiv.org/abs/2308.16137"},
        {"Li et al. 2025", "Information Entropy Invariance: Enhancing Length Extrapolation in Attention Mechanisms (InfoScale, CosScale)", "https://arxiv.org/abs/2501.08570"},
        {"Martins & Astudillo 2016", "From Softmax to Sparsemax: A Sparse Model of Attention and Multi-Label Classification", "https://arxiv.org/abs/1602.02068"},
        {"Miller 2023", "Attention Is Off By One", "https://www.evanmiller.org/attention-is-off-by-one.html"},
        {"Nakanishi 2025", "Scalable-Softmax Is Superior for Attention", "https://arxiv.org/abs/2501.19399"},
        {"Peng et al. 2023", "YaRN: Efficient Context Window Extension of Large Language Models", "https://arxiv.org/abs/2309.00071"},
        {"Peters, Niculae & Martins 2019", "Sparse Sequence-to-Sequence Models", "https://arxiv.org/abs/1905.05702"},
        {"Press et al. 2022", "Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation", "https://arxiv.org/abs/2108.12409"},
        {"Ramapuram et al. 2024", "Theory, Analysis, and Best Practices for Sigmoid Self-Attention", "https://arxiv.org/abs/2409.04431"},
        {"So et al. 2021", "Primer: Searching for Efficient Transformers for Language Modeling", "https://arxiv.org/abs/2109.08668"},
        {"Su 2021", "Attention's scale from the view of entropy invariance (in Chinese)", "https://spaces.ac.cn/archives/8823"},
        {"Su 2023", "Entropy-invariant attention from the view of the Johnson-Lindenstrauss lemma (in Chinese); ReRoPE", "https://kexue.fm/archives/9708"},
        {"Su et al. 2021", "RoFormer: Enhanced Transformer with Rotary Position Embedding", "https://arxiv.org/abs/2104.09864"},
        {"Vaswani et al. 2017", "Attention Is All You Need", "https://arxiv.org/abs/1706.03762"},
        {"Veličković et al. 2024", "softmax is not enough (for sharp out-of-distribution)", "https://arxiv.org/abs/2410.01104"},
        {"Wortsman et al. 2023", "Replacing softmax with ReLU in Vision Transformers", "https://arxiv.org/abs/2309.08586"},
        {"Xiao et al. 2023", "Efficient Streaming Language Models with Attention Sinks", "https://arxiv.org/abs/2309.17453"},
        {"Zuhri et al. 2025", "Softpick: No Attention Sink, No Massive Activations with Rectified Softmax", "https://arxiv.org/abs/2504.20966"},
    };
    return rows;
}
// clang-format on

std::vector<const Paper*> papersCitedBy(const std::string& source)
{
    std::vector<const Paper*> cited;
    for (const Paper& paper : papers())
        if (source.find(paper.key) != std::string::npos)
            cited.push_back(&paper);
    return cited;
}

}  // namespace attnscope
