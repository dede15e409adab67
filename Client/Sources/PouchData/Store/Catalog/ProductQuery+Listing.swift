import PouchContract
import PouchEntities
import PouchFeed
import PouchWire

extension ProductQuery {
    /// The words to look for; empty for all products.
    package var searchWords: [String] { FoldedText.words(in: search ?? "") }

    /// By relevance only where there is a text to be relevant to.
    package var effectiveSort: ProductSort {
        guard searchWords.isEmpty else { return sort ?? .relevance }
        return sort == .relevance ? .newest : sort ?? .newest
    }

    /// The wanted values by option, both in lower case; options without wanted values are left out.
    package var foldedOptions: [String: Set<String>] {
        var folded: [String: Set<String>] = [:]
        for (name, values) in options where !values.isEmpty {
            folded[name.lowercased(), default: []].formUnion(values.map { $0.lowercased() })
        }
        return folded
    }

    package var pageSize: Int {
        min(max(limit ?? Limits.defaultPageSize, Limits.pageSize.lowerBound), Limits.pageSize.upperBound)
    }

    /// What decides which products are listed, and in which order.
    var fingerprint: String {
        var query = self
        query.limit = nil
        query.cursor = nil
        query.facets = false
        return query.queryString.encoded
    }
}
