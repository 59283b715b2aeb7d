#include "core/model/rope_scaling.h"

#include "core/base/json_reader.h"

#include <cmath>

namespace attnscope {

namespace {

/// One scaling on its way to positions.
class RopeReader {
public:
    RopeReader(const nlohmann::json& given, std::string path, RopeScaling& scaling)
        : m_given(given), m_fields(given, path), m_path(std::move(path)), m_scaling(scaling)
    {
    }

    Result<OwnPosition> operator()(const std::vector<std::string>& also)
    {
        std::string type = "default";
        m_fields.text("type", type);
        m_fields.text("rope_type", type);
        m_fields.number("rope_theta", m_scaling.base, 1.0001, 1e12);
        m_fields.number("partial_rotary_factor", m_scaling.part, 0, 1);
        m_fields.number("original_max_position_embeddings", m_scaling.originalLength, 1, 1e9);
        for (const std::string& key : also)
            m_fields.field(key);
        m_fields.field("finetuned");  // says how the model came about
        if (type == "linear" || type == "dynamic" || type == "llama3")
            needFactor();
        else if (type == "yarn" || type == "longrope" || type == "su")
            factorOrQuotient();
        else if (type != "default")
            return failure(ErrorKind::Unavailable,
                           "{} asks for positions of type '{}', which is not run here; what is run: default, linear, "
                           "dynamic, llama3, yarn, longrope",
                           m_path, type.substr(0, 40));
        else
            m_fields.field("factor");  // of no stretch
        OwnPosition position = ofType(type);
        TRY(m_fields.status());
        if (const auto unknown = m_fields.unasked(); !unknown.empty())
            return failure(ErrorKind::Unavailable, "{}.{} is not known here, and it may change the positions", m_path,
                           unknown.front().substr(0, 40));
        return position;
    }

    /// Of the registry, with what all rotary positions have.
    Choice rotary(const char* id) const
    {
        Choice choice{id, {}, {}};
        if (!m_scaling.interleaved)
            choice.values["interleaved"] = 0;
        if (m_scaling.base != 10000)
            choice.values["base"] = m_scaling.base;
        if (m_scaling.dims() != m_scaling.headSize)
            choice.values["dims"] = m_scaling.dims();
        return choice;
    }

private:
    bool gives(const char* key) const { return m_given.is_object() && m_given.contains(key); }

    void needFactor()
    {
        m_fields.number("factor", m_scaling.stretch, 1, 1e6);
        if (!gives("factor"))
            m_fields.fail(m_path + ".factor is missing");
    }

    /// The factor, or what the two lengths say.
    void factorOrQuotient()
    {
        if (gives("factor") || m_scaling.originalLength == 0)
            return needFactor();
        m_scaling.stretch =
            std::max(1.0, static_cast<double>(m_scaling.largestLength) / static_cast<double>(m_scaling.originalLength));
    }

    OwnPosition ofType(const std::string& type)
    {
        if (type == "linear") {
            Choice choice = rotary("pi");
            choice.values["s"] = m_scaling.stretch;
            return {choice, {}, 0};
        }
        if (type == "dynamic") {  // which in transformers begins beyond max_position_embeddings, whatever came before
            m_scaling.originalLength = 0;
            return {rotary("rope"), {}, m_scaling.stretch, "Dynamic NTK RoPE"};
        }
        if (type == "llama3")
            return {llama3(), {}, 0, "Llama 3 RoPE"};
        if (type == "yarn")
            return {yarn(), {}, 0};
        if (type == "longrope" || type == "su")
            return longRope();
        return {rotary("rope"), {}, 0};
    }

    /// Its ramp between wavelengths N / high and N / low is linear in the turns within N, as YaRN's in its paper.
    Choice llama3()
    {
        double high = 4, low = 1;
        m_fields.number("high_freq_factor", high, 0.001, 1e6);
        m_fields.number("low_freq_factor", low, 0.001, 1e6);
        if (!gives("original_max_position_embeddings") && m_scaling.originalLength == 0)
            m_fields.fail(m_path + ".original_max_position_embeddings is missing");
        return byParts(high, low);
    }

    Choice byParts(double fast, double slow) const
    {
        Choice choice = rotary("yarn_rope");
        choice.values["s"] = m_scaling.stretch;
        choice.values["N"] = static_cast<double>(m_scaling.trainLength());
        choice.values["beta_fast"] = fast;
        choice.values["beta_slow"] = slow;
        return choice;
    }

    Choice yarn()
    {
        double fast = 32, slow = 1, mscale = 0;
        bool rounded = true;
        m_fields.number("beta_fast", fast, 0.001, 1e6);
        m_fields.number("beta_slow", slow, 0.001, 1e6);
        m_fields.boolean("truncate", rounded);
        m_fields.number("mscale", mscale, 0, 1e3);
        m_fields.number("mscale_all_dim", m_scaling.mscaleAllDim, 0, 1e3);
        const auto temperature = [&](double by) {
            return m_scaling.stretch > 1 ? 0.1 * by * std::log(m_scaling.stretch) + 1 : 1.0;
        };
        double factor = mscale > 0 && m_scaling.mscaleAllDim > 0
                            ? temperature(mscale) / temperature(m_scaling.mscaleAllDim)
                            : temperature(1);
        m_fields.number("attention_factor", factor, 1e-3, 1e3);
        Choice choice = byParts(fast, slow);
        choice.values["by_index"] = 1;
        if (!rounded)
            choice.values["rounded"] = 0;
        if (factor != 1)
            choice.values["m"] = factor;
        return choice;
    }

    OwnPosition longRope()
    {
        const double original = static_cast<double>(m_scaling.trainLength());
        // the two lengths count, where both are known, whatever `factor` says
        if (m_scaling.originalLength > 0)
            m_scaling.stretch = std::max(1.0, static_cast<double>(m_scaling.largestLength) / original);
        double factor =
            m_scaling.stretch > 1 && original > 1 ? std::sqrt(1 + std::log(m_scaling.stretch) / std::log(original)) : 1;
        m_fields.number("attention_factor", factor, 1e-3, 1e3);
        const auto with = [&](const char* key) {
            std::vector<double> divisors;
            m_fields.numbers(key, divisors, 1e-6, 1e9, 1024);
            if (std::ssize(divisors) != m_scaling.dims() / 2)
                m_fields.fail(
                    fmt::format("{}.{} must be a list of {} numbers, one for each pair of coordinates that turns",
                                m_path, key, m_scaling.dims() / 2));
            Choice choice = rotary("long_rope");
            choice.text = joined(divisors, ",", [](double d) { return formatNumber(d); });
            if (factor != 1)
                choice.values["m"] = factor;
            return choice;
        };
        OwnPosition position{with("short_factor"), with("long_factor"), 0};
        if (position.choice != position.beyond)  // else they are divided as .gguf files have Llama 3's
            position.called = "LongRoPE";
        return position;
    }

    const nlohmann::json& m_given;
    ObjectReader m_fields;
    std::string m_path;
    RopeScaling& m_scaling;
};

}  // namespace

Result<OwnPosition> readRope(const nlohmann::json* given, const std::string& path, RopeScaling& scaling,
                             const std::vector<std::string>& also)
{
    const nlohmann::json fields = given ? *given : nlohmann::json::object();
    OwnPosition position = TRY(RopeReader(fields, path, scaling)(also));
    if (scaling.dims() == 0)
        return OwnPosition{};
    if (scaling.dims() % 2 != 0)
        return failure(ErrorKind::Unavailable,
                       "{} asks for rotary positions on an odd number of coordinates, {}, which is not run here", path,
                       scaling.dims());
    return position;
}

}  // namespace attnscope
