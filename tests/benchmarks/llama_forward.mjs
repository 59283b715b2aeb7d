// n tokens through llama.cpp, as npm's node-llama-cpp brings it, on the processor: for beside_llama_cpp.py.
//
//     node llama_forward.mjs FILE.gguf IDS THREADS last|all
//
// The logits of the last token, or of all. Prints the wall and the processor seconds of the pass alone. Attention is
// computed without its flash kernel and keys and values are kept as floats, as here.
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";

const [file, idsFile, threads, which] = process.argv.slice(2);
const found = createRequire(process.cwd() + "/").resolve("node-llama-cpp"); // from where it is installed
const {getLlama} = await import(pathToFileURL(found));
const ids = readFileSync(idsFile, "utf8").trim().split(/\s+/).map(Number);
const llama = await getLlama({gpu: false, build: "never", logLevel: "error", maxThreads: Number(threads)});
const model = await llama.loadModel({modelPath: file});
const context = await model.createContext({
    contextSize: ids.length, batchSize: 512, threads: Number(threads), flashAttention: false,
    experimentalKvCacheKeyType: "F32", experimentalKvCacheValueType: "F32"
});
const sequence = context.getSequence();
const before = process.cpuUsage(), began = process.hrtime.bigint();
if (which === "all")
    await sequence.controlledEvaluate(ids.map((id) => [id, {generateNext: {probabilities: false, confidence: true}}]));
else
    await sequence.controlledEvaluate(ids.map((id, at) => at + 1 < ids.length ? id : [id, {generateNext: {confidence: true}}]));
const used = process.cpuUsage(before);
console.log(Number(process.hrtime.bigint() - began) / 1e9, (used.user + used.system) / 1e6);
process.exit(0);
