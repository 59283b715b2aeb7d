#pragma once
// Models that other programs keep on this computer, in the folders where they usually do: Ollama, LM Studio, llama.cpp
// and Hugging Face's hub. Names of files and small descriptions are read, no weights, so that a menu can list them.

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

struct FoundModel {
    std::string program;       ///< that keeps it: "Ollama"
    std::string name;          ///< its name there: "llama3.2:1b"
    std::string path;          ///< what openModel takes: a file, whatever its name, or a folder
    std::uint64_t bytes = 0;   ///< of its weights, in all files
    std::string quantisation;  ///< "Q4_K_M", "BF16"; empty: neither a name nor a description says it
    bool operator==(const FoundModel&) const = default;
};

/// By program and then by name. The folders are those below HOME, or where OLLAMA_MODELS, LLAMA_CACHE, HF_HUB_CACHE,
/// HF_HOME and XDG_CACHE_HOME say. What is no model that is run (adapters, projectors of pictures, encoders of another
/// kind) is left out where its description says so; a .gguf file is offered unseen.
std::vector<FoundModel> foundModels();

/// "Q4_K_M" of "Llama-3.2-1B-Instruct-Q4_K_M"; empty where the name says none.
std::string quantisationIn(const std::string& name);

}  // namespace attnscope
