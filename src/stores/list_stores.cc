#include "stores/list_stores.h"

namespace ggufgate {

ModelStores ListStores(FoundFiles& found) {
  ModelStores stores;
  stores.first_file = found.files.size();
  for (const FoundFiles::Store& store : found.stores) {
    switch (store.kind) {
      case FoundFiles::Store::Kind::kOllama:
        ListOllamaStore(store.path, found, stores);
        break;
      case FoundFiles::Store::Kind::kHuggingFace:
        ListHuggingFaceRepository(store.path, found, stores);
        break;
    }
    stores.ollama.resize(stores.gguf.size(), store.kind == FoundFiles::Store::Kind::kOllama);
  }
  return stores;
}

}  // namespace ggufgate
