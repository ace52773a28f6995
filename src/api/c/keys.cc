// Header and keys of a file, in the C interface.

#include <optional>
#include <string_view>

#include "api/c/guarded.h"
#include "api/c/handles.h"
#include "api/c/values.h"

using namespace ggufgate;

namespace {

const MetadataEntry* EntryAt(const ggufgate_file* file, std::uint64_t index) {
  const auto& metadata = file->doc().metadata;
  return index < metadata.size() ? &metadata[index] : nullptr;
}

// ValueOf passes the value of a key to `take`, which stores it for the caller.
template <typename T>
ggufgate_status ValueOf(const ggufgate_file* file, std::uint64_t key, T* value,
                        ggufgate_status (*take)(const api::Scalar&, T*)) {
  if (file == nullptr || value == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  const MetadataEntry* entry = EntryAt(file, key);
  if (entry == nullptr) return GGUFGATE_STATUS_OUT_OF_RANGE;
  return take({.type = entry->type,
               .bytes = file->doc().BytesAt(entry->ValueRange()),
               .order = file->doc().byte_order},
              value);
}

}  // namespace

uint32_t ggufgate_file_version(const ggufgate_file* file) noexcept {
  return file != nullptr ? file->doc().version : 0;
}

int ggufgate_file_is_big_endian(const ggufgate_file* file) noexcept {
  return file != nullptr && file->doc().byte_order == ByteOrder::kBig ? 1 : 0;
}

uint64_t ggufgate_file_alignment(const ggufgate_file* file) noexcept {
  return file != nullptr ? file->doc().alignment.value_or(0) : 0;
}

uint64_t ggufgate_file_key_count(const ggufgate_file* file) noexcept {
  return file != nullptr ? file->doc().metadata.size() : 0;
}

uint64_t ggufgate_file_tensor_count(const ggufgate_file* file) noexcept {
  return file != nullptr ? file->doc().tensors.size() : 0;
}

ggufgate_status ggufgate_file_key(const ggufgate_file* file, uint64_t index,
                                  ggufgate_key* key) noexcept {
  if (file == nullptr || !api::HasRoomFor(key)) return GGUFGATE_STATUS_BAD_ARGUMENT;
  const MetadataEntry* entry = EntryAt(file, index);
  if (entry == nullptr) return GGUFGATE_STATUS_OUT_OF_RANGE;
  const bool is_array = entry->type == ValueType::kArray;
  key->name = entry->key.data();
  key->name_size = entry->key.size();
  key->type = static_cast<std::int32_t>(entry->type);
  key->element_type = static_cast<std::int32_t>(is_array ? entry->element_type : entry->type);
  key->count = is_array ? entry->count : 1;
  key->offset = entry->range.begin;
  key->length = entry->range.size;
  return GGUFGATE_STATUS_OK;
}

ggufgate_status ggufgate_file_find_key(const ggufgate_file* file, const char* name,
                                       size_t name_size, uint64_t* index) noexcept {
  if (file == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return api::FindName(file->keys, name, name_size, index);
}

ggufgate_status ggufgate_file_unsigned(const ggufgate_file* file, uint64_t key,
                                       uint64_t* value) noexcept {
  return ValueOf(file, key, value, &api::UnsignedIn);
}

ggufgate_status ggufgate_file_signed(const ggufgate_file* file, uint64_t key,
                                     int64_t* value) noexcept {
  return ValueOf(file, key, value, &api::SignedIn);
}

ggufgate_status ggufgate_file_real(const ggufgate_file* file, uint64_t key,
                                   double* value) noexcept {
  return ValueOf(file, key, value, &api::RealIn);
}

ggufgate_status ggufgate_file_bool(const ggufgate_file* file, uint64_t key, int* value) noexcept {
  return ValueOf(file, key, value, &api::BoolIn);
}

ggufgate_status ggufgate_file_string(const ggufgate_file* file, uint64_t key, const char** bytes,
                                     size_t* size) noexcept {
  if (file == nullptr || bytes == nullptr || size == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  const MetadataEntry* entry = EntryAt(file, key);
  if (entry == nullptr) return GGUFGATE_STATUS_OUT_OF_RANGE;
  const std::optional<std::string_view> text = file->doc().StringOf(*entry);
  if (!text) return GGUFGATE_STATUS_WRONG_TYPE;
  *bytes = text->data();
  *size = text->size();
  return GGUFGATE_STATUS_OK;
}
