/** Where bytes come from. `read` gives exactly the bytes asked for, which lie in the file. */
export interface Source {
  readonly size: number;
  readonly name?: string;
  read(offset: number, length: number): Uint8Array | Promise<Uint8Array>;
  /** Which file it is, for the report. */
  readonly identity?: {
    device?: number | bigint;
    inode?: number | bigint;
    modifiedNs?: number | bigint;
    changedNs?: number | bigint;
  };
  /** Called when all was read; throws where the file is another than at the beginning. */
  unchanged?(): void | Promise<void>;
}

/** A Number where it is exact, else a BigInt. */
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
  suppressed?: { reason: string };
}

export interface CheckOptions {
  profile?: Profile;
  /** How much of the tensor data is judged: nothing unless it is said. */
  data?: 'none' | 'scales' | 'full';
  failOn?: Severity;
  /** Byte order of the machines that will load the file. */
  target?: 'little' | 'big' | 'any';
  /** Findings kept of each rule and severity, 1 to 1,000; all are counted. */
  findingsPerRule?: number;
  /** What the report calls the file; else the name of the source. */
  name?: string;
  signal?: AbortSignal;
  /** Told of the bytes that were read, after each range. */
  onProgress?(read: number, size: number): void;
}

export interface TextOptions {
  colour?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  /** Of the terminal; 0: nothing is wrapped. */
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
  /** "f32" and the like, where it is one value of a tensor. */
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
  /** What a region consists of, from byte `from` of the file on; `next`: where the page after it begins. */
  parts(region: number, from?: number, most?: number): { parts: Part[]; next: Exact };
  floats(tensor: number, first: number, count: number): Promise<Float32Array>;
  bytes(offset: number, length: number): Promise<Uint8Array>;
}

/** A file of a set of shards, by its name without folders; `number` is from 1, as in the name. They are listed by rising number. */
export interface ShardMember {
  name: string | Uint8Array;
  number: number;
  facts: Uint8Array;
  /** It is refused, or was not judged, for its own sake. */
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
  readonly elapsed_ms: number;
  readonly file: OpenedFile | null;
  text(options?: TextOptions): string;
  json(): string;
  policy(): string;
  /** What a set of shards wants to know of this one: for judgeInSet(). */
  shardFacts(): Uint8Array;
  /** Adds that the file's name says shard `number` of `count`, which no shard is. */
  judgeImpossibleName(name: { number: number; count: number }): void;
  /** Says in the file's line that it is one of several shards and was judged without the others, where it is. */
  judgedAlone(): void;
  /** Adds what is wrong with the set that the file is one of; `own` is the name of the member that is this file, the same object. */
  judgeInSet(set: { stem: string | Uint8Array; count: number; alone?: boolean }, members: ShardMember[], own: string | Uint8Array): void;
  /** Makes the file undecided, whatever was found. */
  takeBack(why: string | Uint8Array): void;
  jsonHead(run?: { time?: string; policySha256?: string }): string;
}

export class Gate {
  private constructor();
  static load(wasm?: URL | string | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module): Promise<Gate>;
  /** Gets ready for the next file what does not depend on it, so that it is judged some milliseconds sooner. */
  prepare(): void;
  check(source: Source, options?: CheckOptions): Promise<Report>;
}

export function fromBytes(bytes: Uint8Array, name?: string): Source;
export function fromBlob(blob: Blob, name?: string): Source;
export function fromUrl(
  url: string | URL,
  options?: { fetch?: typeof fetch; headers?: Record<string, string>; signal?: AbortSignal; name?: string },
): Promise<Source & { readonly etag: string | null }>;
/** In Node alone. */
export function fromPath(path: string): Promise<Source & { close(): Promise<void> }>;
