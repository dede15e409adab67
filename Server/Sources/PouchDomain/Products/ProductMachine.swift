import Foundation
import PouchEntities

/// The changes of a product's status that administrators can make.
public enum ProductMachine {
    /// The statuses that can follow each status. A product can also keep its status.
    public static let transitions: [ProductStatus: Set<ProductStatus>] = [
        .draft: [.published, .archived],
        .published: [.withdrawn, .archived],
        .withdrawn: [.published, .archived],
        // An archived product returns as withdrawn, not directly to sale.
        .archived: [.withdrawn],
    ]

    public static func allows(_ old: ProductStatus, to new: ProductStatus) -> Bool {
        old == new || transitions[old]?.contains(new) == true
    }

    /// The status before the first change.
    static let first: Set<ProductStatus> = [.draft, .published]
}

extension ProductState {
    /// The state at a moment, after the changes due by then.
    public func settled(at moment: Date) -> ProductState {
        guard status != .archived else { return ProductState(.archived) }
        if let withdrawAt, withdrawAt <= moment { return ProductState(.withdrawn) }
        if let publishAt, publishAt <= moment { return ProductState(.published, withdrawAt: withdrawAt) }
        return self
    }

    /// The next time at which the status changes as scheduled.
    public var nextChange: Date? { [publishAt, withdrawAt].compactMap(\.self).min() }

    /// The state after a change by an administrator.
    ///
    /// - Parameters:
    ///   - old: the state at the moment; nil for a new product.
    ///   - moment: the current time; scheduled times up to it take effect immediately.
    /// - Throws: `DomainError.statusConflict`, `.invalid`.
    static func change(
        from old: ProductState?, to new: ProductState, at moment: Date
    ) throws(DomainError) -> ProductState {
        let problems = InvalidField.times("publishAt", new.publishAt) + InvalidField.times("withdrawAt", new.withdrawAt)
        guard problems.isEmpty else { throw .invalid(problems) }
        if new.status == .published || new.status == .archived, new.publishAt != nil {
            throw .invalid(
                "publishAt", .invalid, "A product that is \(new.status.rawValue) cannot have a time of publication.")
        }
        if let withdrawAt = new.withdrawAt {
            guard new.status == .published || new.publishAt != nil else {
                throw .invalid("withdrawAt", .invalid, "Only a product that is or will be published can be withdrawn.")
            }
            if let publishAt = new.publishAt, withdrawAt <= publishAt {
                throw .invalid("withdrawAt", .outOfRange, "The product must be withdrawn after it is published.")
            }
        }
        let isAllowed = old.map { ProductMachine.allows($0.status, to: new.status) }
        guard isAllowed ?? ProductMachine.first.contains(new.status) else {
            throw .statusConflict(from: old?.status ?? .draft, to: new.status)
        }
        return new.settled(at: moment)
    }
}

extension InvalidField {
    /// The problems of a time outside the years that the shop can store.
    fileprivate static func times(_ field: String, _ time: Date?) -> [InvalidField] {
        period(startsAt: time, endsAt: nil).map { InvalidField(field, $0.reason, $0.detail) }
    }
}
