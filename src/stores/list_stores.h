#pragma once

#include <string>

#include "gate/find_files.h"
#include "stores/model_store.h"

namespace ggufgate {

// ListStores lists the contents of the stores in `found`. Their blobs are appended to its files.
// Unreadable parts become problems, and files that are not models are skipped.
//
// It does not parse any file of a store itself: it reads manifests, and a process that cannot open
// files parses them. A link from a snapshot or a manifest is followed only to a blob of the same
// store.
[[nodiscard]] ModelStores ListStores(FoundFiles& found);

// FindOllamaStore adds the contents of a folder that the user calls an Ollama store, like
// FindStore. It adds a problem if the folder has no manifests.
void FindOllamaStore(const std::string& folder, FoundFiles& found,
                     const std::vector<std::string>& excluded = {});

// FindRepositories adds the contents of a Hugging Face cache, or of a folder that is itself a
// repository, like FindStore. It adds a problem if there is no repository.
void FindRepositories(const std::string& cache, FoundFiles& found,
                      const std::vector<std::string>& excluded = {});

// Both list one store.
void ListOllamaStore(const std::string& path, FoundFiles& found, ModelStores& stores);
void ListHuggingFaceRepository(const std::string& path, FoundFiles& found, ModelStores& stores);

}  // namespace ggufgate
