import PouchDomain
import PouchEntities

extension ProductValues {
    /// The source of an image element; an empty picture for an address that browsers would execute.
    static func source(_ url: String) -> String { address(ProductImage(url: url, alt: "")) ?? "data:," }
}

extension ProductStatus {
    var badge: StatusValues {
        switch self {
        case .draft: StatusTone.plain.status("Draft")
        case .published: StatusTone.good.status("Published")
        case .withdrawn: StatusTone.warn.status("Withdrawn")
        case .archived: StatusTone.plain.status("Archived")
        case .unrecognised: StatusTone.plain.status("Unknown")
        }
    }

    /// The participle for products that have just received the status.
    var participle: String {
        [.published, .withdrawn, .archived].contains(self) ? badge.text.lowercased() : "changed"
    }

    /// The buttons for the possible next statuses.
    var actions: [AdminProductValues.StatusAction] {
        let next: [ProductStatus] = [.withdrawn, .archived, .published]
        return next.filter { $0 != self && ProductMachine.allows(self, to: $0) }.map { status in
            .init(status: status.rawValue, label: label(to: status), isMain: status == .published)
        }
    }

    private func label(to status: ProductStatus) -> String {
        switch status {
        case .published: "Publish"
        case .archived: "Archive"
        default: self == .archived ? "Restore from archive" : "Withdraw"
        }
    }
}
