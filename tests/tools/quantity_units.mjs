// The names of units in all languages, from the CLDR data in Node's ICU.
//
//     node tests/tools/quantity_units.mjs table  > lib/darwin/quantity_units.def
//     node tests/tools/quantity_units.mjs cases
//
// `table` prints the rows of lib/darwin/quantity_units.def; `cases` prints, for
// tests/check_quantities.py, what ICU writes: locale, region, kind, value, text.
import process from "node:process";

const UNITS = {
  microsecond: ["DURATION", 1],
  millisecond: ["DURATION", 1000],
  second: ["DURATION", 1000000],
  minute: ["DURATION", 60000000],
  hour: ["DURATION", 3600000000],
  byte: ["SIZE", 1],
  kilobyte: ["SIZE", 1000],
  megabyte: ["SIZE", 1000000],
  gigabyte: ["SIZE", 1000000000],
  percent: ["PERCENT", 1000],
};

// Abbreviations of older systems, where CLDR has no unit of that name now.
const MORE = {
  microsecond: ["us", "µs", "usec"],
  millisecond: ["msec", "msecs"],
  second: ["secs", "seg", "sek"],
  minute: ["mins"],
  hour: ["hrs"],
  kilobyte: ["KB"],
};

const WIDTHS = ["short", "narrow", "long"];
// One at least for each plural form.
const NUMBERS = [0, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10, 11, 20, 21, 22, 100,
                 1000, 12345, 1000000, 0.1, 0.5, 1.1];
const SCRIPTS = ["Latn", "Cyrl", "Arab", "Hans", "Hant", "Deva", "Adlm", "Guru",
                 "Beng", "Mtei", "Olck", "Tfng", "Vaii", "Orya", "Telu", "Hebr"];

function isKnown(tag) {
  try {
    return new Intl.NumberFormat(tag).resolvedOptions().locale === tag;
  } catch {
    return false;
  }
}

// Intl does not list its locales: all combinations are tried.
function allLocales() {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const pairs = letters.flatMap((a) => letters.map((b) => a + b));
  const triples = pairs.flatMap((a) => letters.map((b) => a + b));
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const regions = ["001", "150", "419"].concat(
    pairs.map((pair) => pair.toUpperCase()).filter((pair) => names.of(pair)));
  const languages = Intl.NumberFormat.supportedLocalesOf(pairs.concat(triples));

  return languages.filter(isKnown).flatMap((language) => {
    const scripts = [language].concat(
      SCRIPTS.map((script) => `${language}-${script}`).filter(isKnown));
    return scripts.concat(scripts.flatMap((script) =>
      regions.map((region) => `${script}-${region}`).filter(isKnown)));
  });
}

function regionOf(tag) {
  return new Intl.Locale(tag).maximize().region ?? "";
}

// `uz-Cyrl` of `uz-Cyrl-UZ`.
function languageOf(tag) {
  return tag.replace(/-([A-Z]{2}|\d{3})$/, "");
}

// U+200E, U+200F and U+061C say the direction; the reader skips them.
function bare(text) {
  return text.replace(/[\u200e\u200f\u061c]/g, "").replace(/[\s\u00a0\u202f]+/g, " ")
    .trim();
}

function decimalOf(tag) {
  const parts = new Intl.NumberFormat(tag).formatToParts(1.5);
  const mark = parts.find((part) => part.type === "decimal").value;
  return { ".": "POINT", ",": "COMMA" }[mark] ?? "OTHER";
}

function spellingOf(parts) {
  return bare(parts.filter((part) => part.type === "unit" || part.type === "percentSign")
    .map((part) => part.value).join(" "));
}

function hasNumber(parts) {
  return parts.some((part) => part.type === "integer");
}

// Map from `kind spelling` to a map from units to languages and marks.
function collect(locales) {
  const found = new Map();
  const add = (spelling, unit, count, language, mark) => {
    const key = `${UNITS[unit][0]}\t${spelling}`;
    const units = found.get(key) ?? found.set(key, new Map()).get(key);
    const id = `${unit}\t${count}`;
    const row = units.get(id) ?? units.set(id, {
      unit, count, languages: new Set(), marks: new Set() }).get(id);
    row.languages.add(language);
    row.marks.add(mark);
  };

  for (const locale of locales)
    for (const unit of Object.keys(UNITS))
      for (const unitDisplay of WIDTHS) {
        const format = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay });
        for (const number of NUMBERS) {
          const parts = format.formatToParts(number);
          const text = hasNumber(parts) ? spellingOf(parts) : bare(format.format(number));
          const count = hasNumber(parts) ? 0 : number;
          add(text, unit, count, languageOf(locale), decimalOf(locale));
        }
      }
  for (const [unit, spellings] of Object.entries(MORE))
    for (const spelling of spellings.filter((name) => !found.has(`${UNITS[unit][0]}\t${name}`)))
      for (const mark of ["POINT", "COMMA"])
        add(spelling, unit, 0, "*", mark);
  return found;
}

function quote(text) {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function marksOf(set) {
  const marks = ["POINT", "COMMA"].filter((mark) => set.has(mark));
  return marks.length ? marks.join(" | ") : "0";
}

// In the order of their bytes, so that they can be bisected.
function byBytes(a, b) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function printSpellings(locales) {
  const rows = [];
  for (const [key, units] of collect(locales))
    for (const row of units.values()) {
      const [kind, spelling] = key.split("\t");
      const languages = [...row.languages].sort().join(" ");
      const factor = UNITS[row.unit][1];
      rows.push({ spelling, factor, languages,
        text: `SPELLING(${quote(spelling)}, ${kind}, ${factor}, ${row.count}, ` +
          `${marksOf(row.marks)}, "${languages}")` });
    }
  // Not what most know as another unit: "Mb" of Zulu is a kilobyte.
  const kept = rows.filter((row) => !rows.some((other) =>
    other.spelling !== row.spelling && other.factor !== row.factor &&
    other.spelling.toLowerCase() === row.spelling.toLowerCase() &&
    other.languages.length > 20 * row.languages.length));
  kept.sort((a, b) => byBytes(a.spelling, b.spelling) || byBytes(a.text, b.text));
  for (const row of kept)
    console.log(row.text);
}

function printRegions(locales) {
  const regions = new Map();
  for (const locale of locales) {
    const region = regionOf(locale);
    const marks = regions.get(region) ?? regions.set(region, {
      POINT: new Set(), COMMA: new Set(), OTHER: new Set() }).get(region);
    marks[decimalOf(locale)].add(languageOf(locale));
  }
  for (const [region, marks] of [...regions].sort((a, b) => byBytes(a[0], b[0])))
    if (/^[A-Z]{2}$/.test(region))
      console.log(`REGION("${region}", ` + ["POINT", "COMMA", "OTHER"].map((mark) =>
        `"${[...marks[mark]].sort().join(" ")}"`).join(", ") + ")");
}

function printTable() {
  const locales = allLocales();
  console.log(`// Generated by tests/tools/quantity_units.mjs from CLDR ${process.versions.cldr}
// (ICU ${process.versions.icu}), ${locales.length} locales; do not edit.
//
// SPELLING(name, kind, factor, count, decimal marks, languages): a unit's name, how
// many microseconds, bytes or thousandths one of it has, and the number where the
// name is that of so many ("two seconds" in one word; else 0). "*": of no
// language alone. In the order of their bytes.
//
// REGION(code, languages with a decimal point, with a decimal comma, with others)
#ifdef SPELLING`);
  printSpellings(locales);
  console.log("#endif\n#ifdef REGION");
  printRegions(locales);
  console.log("#endif");
}

// Three magnitudes for each unit that MetricKit measures in.
const CASES = {
  millisecond: [5.4, 250, 1530],
  second: [1.53, 20, 1234],
  minute: [1, 2.5, 90],
  kilobyte: [8, 1024.5, 200000],
  megabyte: [1.2, 512, 2048],
};

function printCases() {
  for (const locale of allLocales())
    for (const [unit, numbers] of Object.entries(CASES))
      for (const unitDisplay of WIDTHS) {
        const format = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay });
        const [kind, factor] = UNITS[unit];
        for (const number of numbers)
          console.log([locale, regionOf(locale), kind.toLowerCase(),
                       Math.round(number * factor), format.format(number)].join("\t"));
      }
}

const modes = { table: printTable, cases: printCases };
modes[process.argv[2]]();
