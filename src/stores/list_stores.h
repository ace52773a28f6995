#pragma once

#include <string>

#include "gate/find_files.h"
#include "stores/model_store.h"

namespace ggufgate {

// ListStores lists what the stores in `found` keep: their blobs become files of it, behind those
// that are there, what cannot be read becomes a problem, and what is no model is skipped.
//
// Nothing that is in a store is understood here: manifests are read here, and taken apart in a
// process that can open nothing. Links lead from a snapshot or a manifest to a blob of the same
// store, or are not followed.
[[nodiscard]] ModelStores ListStores(FoundFiles& found);

// FindOllamaStore adds what lies in a folder that the user calls a store of Ollama's, as FindStore
// does; a problem when it has no manifests.
void FindOllamaStore(const std::string& folder, FoundFiles& found,
                     const std::vector<std::string>& excluded = {});

// FindRepositories adds what lies in a cache of Hugging Face's, or in the one repository that the
// folder is itself, as FindStore does; a problem when there is no repository.
void FindRepositories(const std::string& cache, FoundFiles& found,
                      const std::vector<std::string>& excluded = {});

// Each lists one store.
void ListOllamaStore(const std::string& path, FoundFiles& found, ModelStores& stores);
void ListHuggingFaceRepository(const std::string& path, FoundFiles& found, ModelStores& stores);

}  // namespace ggufgate
