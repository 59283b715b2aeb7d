// What llama.cpp, as npm's node-llama-cpp brings it, makes of the small .gguf files of test_gguf:
//
//     npm install --prefix FOLDER node-llama-cpp
//     mkdir FILES; ATTNSCOPE_GGUF_FILES=FILES build/release/bin/test_gguf       # each file, and its losses as found here
//     cd FOLDER && node ATTNSCOPE_SOURCE/tests/model/llama_losses.mjs FILES     # the largest difference of a token's loss
//
// A process a file: llama.cpp ends the whole process where it does not like one.
import {spawnSync} from "node:child_process";
import {readFileSync, readdirSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";

const [folder, name] = process.argv.slice(2);
if (!name) {
    for (const file of readdirSync(folder).filter((one) => one.endsWith(".gguf")).sort()) {
        const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), folder, file.slice(0, -5)], {encoding: "utf8"});
        const lines = run.stderr.trim().split("\n").filter((line) => /rror/.test(line));
        console.log(run.status === 0 ? run.stdout.trim() : file.slice(0, -5) + ": not run; " + (lines[0] ?? "").slice(0, 200));
    }
    process.exit(0);
}
const found = createRequire(process.cwd() + "/").resolve("node-llama-cpp");
const {getLlama} = await import(pathToFileURL(found));
const {ids, losses} = JSON.parse(readFileSync(join(folder, name + ".json"), "utf8"));
const llama = await getLlama({gpu: false, build: "never", logLevel: "error", maxThreads: 1});
const model = await llama.loadModel({modelPath: join(folder, name + ".gguf")});
const context = await model.createContext({
    contextSize: 64, batchSize: 64, threads: 1, flashAttention: false, experimentalKvCacheKeyType: "F32", experimentalKvCacheValueType: "F32"
});
const inputs = ids.slice(0, -1);
const steps = await context.getSequence().controlledEvaluate(
    inputs.map((id) => [id, {generateNext: {probabilities: true, options: {temperature: 1, topK: 0, topP: 1, minP: 0}}}]));
let worst = 0;
inputs.forEach((_, at) => {
    const p = steps[at].next.probabilities.get(ids[at + 1]);
    worst = Math.max(worst, Math.abs(-Math.log(p) - losses[at]));
});
console.log(name + ": " + worst.toExponential(1));
process.exit(0);
