/** A source of bytes. `read` returns exactly the requested bytes. It is never called for bytes beyond the end. */
export interface Source {
  readonly size: number;
  readonly name?: string;
  read(offset: number, length: number): Uint8Array | Promise<Uint8Array>;
  /** Identity of the file, for the report. */
  readonly identity?: {
    device?: number | bigint;
    inode?: number | bigint;
    modifiedNs?: number | bigint;
    changedNs?: number | bigint;
  };
  /** Called at the end of a check; throws if the file has changed since its beginning. */
  unchanged?(): void | Promise<void>;
}

/** A Number if it is exact, otherwise a BigInt. */
export type Exact = number | bigint;
export type Verdict = 'accept' | 'reject' | 'undecided';
export type Severity = 'note' | 'warning' | 'error';
export type Profile = 'gate' | 'llama.cpp' | 'spec' | 'diffusion';
export const profiles: readonly Profile[];

export interface Finding {
  rule: string;
  severity: Severity;
  offset: Exact;
  length: Exact;
  path: string;
  message: string;
  observed: Exact | string | null;
  allowed: Exact | string | null;
  cause?: { id: string; message: string; advice: string };
  /** The releases of the policy's `loaders` that it concerns, if it depends on the loader. */
  loaders?: string[];
  suppressed?: { reason: string };
}

export interface CheckOptions {
  profile?: Profile;
  /** How much of the tensor data is checked; by default none. */
  data?: 'none' | 'scales' | 'full';
  failOn?: Severity;
  /** Byte order of the machines that will load the file. */
  target?: 'little' | 'big' | 'any';
  /** Findings listed per rule and severity, 1 to 1,000; all are counted. */
  findingsPerRule?: number;
  /** Name of the file in the report; by default that of the source. */
  name?: string;
  signal?: AbortSignal;
  /** Called after each range with the number of bytes read so far. */
  onProgress?(read: number, size: number): void;
}

export interface TextOptions {
  colour?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  /** Width of the terminal; 0: do not wrap. */
  columns?: number;
}

export interface Header {
  size: Exact;
  version: number;
  byte_order: 'little' | 'big';
  metadata_count: Exact;
  tensor_count: Exact;
  alignment: Exact | null;
  data_begin: Exact | null;
  complete: boolean;
}

export type Value = Exact | string | boolean | null | Value[];

export interface Key {
  key: string;
  type: string;
  element_type?: string;
  count?: Exact;
  offset: Exact;
  length: Exact;
  value: Value;
}

export interface Tensor {
  name: string;
  type: string | null;
  type_id: number;
  dimensions: Exact[];
  elements: Exact | null;
  bytes: Exact | null;
  offset: Exact;
  file_offset: Exact | null;
}

export interface Region {
  kind: string;
  offset: Exact;
  length: Exact;
  name?: string;
}

export interface Part {
  offset: Exact;
  length: Exact;
  name: string;
  meaning: string;
  /** "f32" or a similar type, if it is one value of a tensor. */
  number?: string;
}

export interface OpenedFile {
  readonly header: Header;
  readonly keyCount: number;
  readonly tensorCount: number;
  readonly regionCount: number;
  keys(first?: number, count?: number, options?: { elements?: number }): Key[];
  elements(key: number, first?: number, count?: number): Value[];
  tensors(first?: number, count?: number): Tensor[];
  regions(first?: number, count?: number): Region[];
  /** The parts of a region, from byte `from` of the file on; `next` is the start of the next page. */
  parts(region: number, from?: number, most?: number): { parts: Part[]; next: Exact };
  floats(tensor: number, first: number, count: number): Promise<Float32Array>;
  bytes(offset: number, length: number): Promise<Uint8Array>;
}

/** A file of a set of shards. `name` is without folders; `number` is that of the name, from 1. List members by rising number. */
export interface ShardMember {
  name: string | Uint8Array;
  number: number;
  facts: Uint8Array;
  /** Rejected or undecided as a single file. */
  unsound: boolean;
}

export class Report {
  private constructor();
  readonly path: string;
  readonly verdict: Verdict;
  readonly problem?: string;
  readonly findings: Finding[];
  readonly totals: Record<string, Exact>;
  readonly suppressed_totals?: Record<string, Exact>;
  readonly summary: {
    version: number;
    architecture: string;
    metadata_keys: Exact;
    tensors: Exact;
    parameters: Exact;
    main_type: string;
  };
  readonly identity: { size: Exact; device: Exact; inode: Exact; modified_ns: Exact; changed_ns: Exact };
  readonly data: 'none' | 'scales' | 'full';
  /** The outcome in each of the policy's `loaders`, if it has some. */
  readonly loaders?: {
    release: string;
    outcome: 'runs' | 'refuses' | 'crashes' | 'unknown' | 'rejected' | 'undecided';
    rule?: string;
    message?: string;
  }[];
  readonly elapsed_ms: number;
  readonly file: OpenedFile | null;
  text(options?: TextOptions): string;
  json(): string;
  policy(): string;
  /** The facts about this shard that judgeInSet() needs. */
  shardFacts(): Uint8Array;
  /** Adds a finding: the file name has shard `number` of `count`, which is impossible. */
  judgeImpossibleName(name: { number: number; count: number }): void;
  /** If the file is one of several shards, notes in its line that it was checked without the others. */
  judgedAlone(): void;
  /** Adds the findings about the set of this file. `own` is the name of its member: the same object, not a copy. */
  judgeInSet(set: { stem: string | Uint8Array; count: number; alone?: boolean }, members: ShardMember[], own: string | Uint8Array): void;
  /** Makes the file undecided, despite any findings. */
  takeBack(why: string | Uint8Array): void;
  jsonHead(run?: { time?: string; policySha256?: string }): string;
}

export class Gate {
  private constructor();
  static load(wasm?: URL | string | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module): Promise<Gate>;
  /** Prepares for the next file, so that its check takes some milliseconds less. */
  prepare(): void;
  check(source: Source, options?: CheckOptions): Promise<Report>;
}

export function fromBytes(bytes: Uint8Array, name?: string): Source;
export function fromBlob(blob: Blob, name?: string): Source;
export function fromUrl(
  url: string | URL,
  options?: { fetch?: typeof fetch; headers?: Record<string, string>; signal?: AbortSignal; name?: string },
): Promise<Source & { readonly etag: string | null }>;
/** Only in Node. */
export function fromPath(path: string): Promise<Source & { close(): Promise<void> }>;
