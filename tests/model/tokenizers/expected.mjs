// Writes down what the Rust library `tokenizers` gives for the cases of a file here, or for any tokenizer.json:
//
//     npm install tokenizers            # somewhere outside this tree; NODE_PATH names its node_modules
//     node tests/model/tokenizers/expected.mjs tests/model/tokenizers/*.json          # writes ids and texts into them
//     node tests/model/tokenizers/expected.mjs --of path/tokenizer.json > cases/a.json   # a new file, over hard texts
//     ATTNSCOPE_TOKENIZERS=cases build/release/bin/test_tokenizer_kinds                  # compares with them
//
// A case is a tokenizer.json: `base` with `change` merged into it (RFC 7386), or the file that `path` names.
import {createRequire} from 'node:module';
import {readFileSync, writeFileSync} from 'node:fs';
import {resolve} from 'node:path';

const {Tokenizer} = createRequire(resolve('.') + '/')('tokenizers');

const hardTexts = [
  '', 'a', ' ', 'Hello world', '  two  spaces ', 'tabs\tand\nlines\r\n\n', "don't we'll I'M YOU'RE", 'ünïcödé — “quotes”',
  '日本語のテキスト 中文字符', 'a\u0301 composes \u00f1 n\u0303', 'numbers 12345 and 3.14 1234567890',
  'emoji 😀👩\u200d👩\u200d👧 🇩🇪', '\u00a0no break\u2003em space', '<|user|>\n hi <|end|>', '<s>ok</s> </s>x',
  'x<|endoftext|>y', '[MASK] [CLS]hi[SEP]', 'İstanbul ǅ ſ ß ﬁ Å', 'foo_bar-baz!!??...', 'camelCaseWords HTTPServer',
  '\r\n\r\n  \t x', '   \n   \n', 'the quick brown fox jumps', 'ab\u200dcd\u200c e', '①②③ ½ Ⅷ ٣', '\u0000zero\u0001\u0007',
  'ÀÉ ìô', 'ﷺ ㍿ ｶﾞ', 'unaffable unbelievable ##ing', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '\u2581under\u2581score \u2581',
  'a'.repeat(300), 'ab '.repeat(50), '日'.repeat(50), 'Ａ１', 'e\u0301\u0323', ' leading', 'trailing ', '\ufeffbom',
  'multi\n\n\nline\n', 'кириллица Ελληνικά עברית العربية हिन्दी ไทย', 'x\u2028y\u0085z\u000bw', 'a'.repeat(100000)];

const merged = (target, patch) => {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch))
    return patch;
  const result = target !== null && typeof target === 'object' && !Array.isArray(target) ? {...target} : {};
  for (const [key, value] of Object.entries(patch))
    if (value === null)
      delete result[key];
    else
      result[key] = merged(result[key], value);
  return result;
};

// The library wants every part to be there.
const complete = json => ({version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null,
                           pre_tokenizer: null, post_processor: null, decoder: null, ...json});

async function expected(json, texts) {
  const tokenizer = Tokenizer.fromString(JSON.stringify(complete(json)));
  const ids = [], decoded = [];
  for (const text of texts) {
    const one = Array.from((await tokenizer.encode(text, null, {addSpecialTokens: false})).getIds());
    ids.push(one);
    decoded.push(await tokenizer.decode(one, true));
  }
  return {ids, decoded};
}

const lines = json => '{\n' + Object.entries(json).map(([key, value]) => JSON.stringify(key) + ': ' +
  (key === 'cases' ? '[\n' + value.map(one => JSON.stringify(one)).join(',\n') + '\n]' : JSON.stringify(value))).join(',\n') + '\n}\n';

const names = process.argv.slice(2);
if (names[0] === '--of') {
  const path = resolve(names[1]);
  const found = await expected(JSON.parse(readFileSync(path, 'utf8')), hardTexts);
  process.stdout.write(lines({path, texts: hardTexts, cases: [{name: path, ...found}]}));
} else {
  for (const name of names) {
    const file = JSON.parse(readFileSync(name, 'utf8'));
    for (const one of file.cases) {
      Object.assign(one, await expected(merged(file.base, one.change ?? {}), one.texts ?? file.texts));
      if (one.ids_only)  // the library's texts of tokens that it has normalised change from version to version
        delete one.decoded;
    }
    writeFileSync(name, lines(file));
  }
}
