import Foundation
import PouchEntities

/// Creates and changes products for the staff.
///
/// A change takes effect for customers when its transaction commits; a scheduled change takes effect at its time,
/// whether or not a job has stored it (`ProductState.settled`).
public struct ProductAdministration: Sendable {
    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    // MARK: Reading

    /// - Parameter key: the product's id or handle.
    /// - Throws: `DomainError.notFound`.
    public func product(_ key: String, in repositories: any Repositories) throws -> ManagedProduct {
        try repositories.products.product(key, at: environment.time.now).orNotFound()
    }

    public func products(
        _ selection: ProductSelection, after id: String?, limit: Int, in repositories: any Repositories
    ) throws -> [ManagedProduct] {
        try repositories.products.products(selection, after: id, limit: limit, at: environment.time.now)
    }

    // MARK: Changes

    /// - Throws: `DomainError.invalid`, `.statusConflict`, `.handleTaken`, `.skuTaken`.
    public func add(_ terms: ProductTerms, in repositories: any Repositories) throws -> ManagedProduct {
        let now = environment.time.now
        let id = environment.ids.make(.product)
        var terms = terms
        if terms.handle == nil { terms.handle = try freeHandle(terms.name, in: repositories) }
        let rules = ProductRules(currency: environment.shop.currency)
        let (details, variants) = try rules.check(terms, of: nil)
        let state = try ProductState.change(
            from: nil,
            to: ProductState(terms.status ?? .draft, publishAt: terms.publishAt, withdrawAt: terms.withdrawAt), at: now)
        let product = ManagedProduct(
            id: id, version: 1, state: state, details: details, updatedAt: now,
            variants: variants.map { $0.stocked(like: nil) })
        try check(product, before: nil, in: repositories)
        let hasNewCategory = try makeCategory(of: product, in: repositories)
        try repositories.products.insert(product, stock: variants.stock)
        try publishChange(of: product, hasNewCategory: hasNewCategory, in: repositories)
        try environment.events.append(.productCreated, product, in: repositories)
        if product.status == .published { try environment.events.append(.productPublished, product, in: repositories) }
        return product
    }

    /// - Parameters:
    ///   - key: the product's id or handle.
    ///   - change: returns the new terms for the old ones.
    /// - Returns: the product before and after; the same if nothing differs.
    /// - Throws: `DomainError.notFound`, `.versionConflict`, `.invalid`, `.statusConflict`, `.handleTaken`, `.skuTaken`.
    public func update(
        _ key: String, ifMatch: Int?, in repositories: any Repositories, _ change: (ProductTerms) -> ProductTerms
    ) throws -> (before: ManagedProduct, after: ManagedProduct) {
        let now = environment.time.now
        let before = try product(key, in: repositories)
        guard ifMatch == nil || ifMatch == before.version else { throw DomainError.versionConflict }
        let terms = change(ProductTerms(before))
        let rules = ProductRules(currency: environment.shop.currency)
        let (details, variants) = try rules.check(terms, of: before)
        let state = try ProductState.change(
            from: before.state,
            to: ProductState(
                terms.status ?? before.status, publishAt: terms.publishAt, withdrawAt: terms.withdrawAt), at: now)
        let stored = before.variants.byKey { ($0.sku, $0) }
        let changed = ManagedProduct(
            id: before.id, version: before.version, state: state, details: details, updatedAt: before.updatedAt,
            variants: variants.map { $0.stocked(like: stored[$0.sku]) })
        guard changed != before else { return (before, before) }
        let after = ManagedProduct(
            id: before.id, version: before.version + 1, state: state, details: details, updatedAt: now,
            variants: changed.variants)
        try check(after, before: before, in: repositories)
        let hasNewCategory = try makeCategory(of: after, in: repositories)
        try repositories.products.update(before, to: after, stock: variants.stock)
        try publishChange(of: after, hasNewCategory: hasNewCategory, in: repositories)
        // The stock of a variant that has come back is the stock that it had before its removal.
        let result = try product(before.id, in: repositories)
        let isEdited =
            details != before.details || changed.variants != before.variants
            || state != before.state && state.status == before.status
        if isEdited { try environment.events.append(.productUpdated, result, in: repositories) }
        try environment.events.append(statusOf: result, before: before.status, in: repositories)
        return (before, result)
    }

    /// Stores the status changes that are due, with their events. Customers already see them.
    ///
    /// - Returns: whether there may be more.
    public func settle(in repositories: any Repositories) throws -> Bool {
        let (now, limit) = (environment.time.now, 100)
        let due = try repositories.products.due(at: now, limit: limit)
        for id in due {
            guard let before = try repositories.products.product(id, at: .distantPast),
                let product = try repositories.products.settle(id: id, at: now)
            else { continue }
            try repositories.catalog.raiseVersion(changing: .ofProduct(id: id))
            // A product that was published and withdrawn between two runs gets both events.
            if let publishAt = before.state.publishAt, publishAt <= now, product.status == .withdrawn {
                try environment.events.append(.productPublished, product, in: repositories)
            }
            try environment.events.append(statusOf: product, before: before.status, in: repositories)
        }
        return due.count == limit
    }

    /// The next time at which a status change is due.
    public func nextDue(in repositories: any Repositories) throws -> Date? {
        try repositories.products.nextChange()
    }

    // MARK: Steps

    /// Creates the category for products without one, if the product is the first of them.
    ///
    /// - Returns: whether it was created.
    private func makeCategory(of product: ManagedProduct, in repositories: any Repositories) throws -> Bool {
        let (id, name) = ProductRules.uncategorised
        guard product.details.category == id, try !repositories.taxonomy.has(.category, id: id) else { return false }
        try repositories.taxonomy.setCategory(id: id, name: name)
        return true
    }

    /// Runs after the writes, since the version's lock delays every other change.
    private func publishChange(
        of product: ManagedProduct, hasNewCategory: Bool, in repositories: any Repositories
    ) throws {
        try repositories.catalog.raiseVersion(changing: .ofProduct(id: product.id))
        if hasNewCategory { try repositories.catalog.raiseVersion(changing: .taxonomy) }
    }

    /// The checks that need the other products.
    private func check(_ product: ManagedProduct, before: ManagedProduct?, in repositories: any Repositories) throws {
        if product.handle != before?.handle, let owner = try repositories.products.owner(ofHandle: product.handle),
            owner != product.id
        {
            throw DomainError.handleTaken
        }
        let known = Set(before?.variants.map(\.sku) ?? [])
        let new = product.variants.map(\.sku).filter { !known.contains($0) }
        let owners = try repositories.products.owners(ofSKUs: new)
        if let sku = new.first(where: { owners[$0].map { $0 != product.id } ?? false }) {
            throw DomainError.skuTaken(sku)
        }
        let (details, old) = (product.details, before?.details)
        var problems: [InvalidField] = []
        if details.category != old?.category, details.category != ProductRules.uncategorised.id,
            try !repositories.taxonomy.has(.category, id: details.category)
        {
            problems.append(.unknown("category", "category", details.category))
        }
        if let season = details.seasonId, season != old?.seasonId,
            try !repositories.taxonomy.has(.season, id: season)
        {
            problems.append(.unknown("seasonId", "season", season))
        }
        if let theme = details.themeId, theme != old?.themeId,
            try !repositories.taxonomy.has(.theme, id: theme)
        {
            problems.append(.unknown("themeId", "theme", theme))
        }
        let oldURLs = Set((old?.images ?? []).map(\.url) + [old?.promoImage?.url].compactMap(\.self))
        for image in details.images + [details.promoImage].compactMap(\.self) where !oldURLs.contains(image.url) {
            guard image.url.hasPrefix(PictureFile.urlPrefix) else { continue }
            let path = String(image.url.dropFirst(PictureFile.urlPrefix.count)).removingPercentEncoding ?? ""
            if try path.utf8.contains(0) || path.isEmpty || repositories.assets.head(path: path) == nil {
                problems.add("images", .invalid, "The shop has no picture \(image.url.prefix(200)). Upload it first.")
            }
        }
        try problems.check()
    }

    private func freeHandle(_ name: String, in repositories: any Repositories) throws -> String {
        let base = String(name.slug.prefix(ModelLimits.textLength.upperBound - 8))
        let first = base.isEmpty ? "product" : base
        var (handle, number) = (first, 1)
        while try repositories.products.owner(ofHandle: handle) != nil {
            number += 1
            handle = "\(first)-\(number)"
        }
        return handle
    }
}

extension InvalidField {
    /// The problem of a reference to something that the shop does not have.
    static func unknown(_ field: String, _ kind: String, _ id: String) -> InvalidField {
        InvalidField(field, .invalid, "The shop has no \(kind) “\(id.prefix(80))”.")
    }
}

extension EventLog {
    func append(_ type: EventType, _ product: ManagedProduct, in repositories: any Repositories) throws {
        try append(type, of: product.id, EventData(product: product), in: repositories)
    }

    /// Appends the event of the status that a product has just entered; none if the status is unchanged.
    func append(statusOf product: ManagedProduct, before: ProductStatus, in repositories: any Repositories) throws {
        guard product.status != before else { return }
        switch product.status {
        case .published: try append(.productPublished, product, in: repositories)
        // Also after a return from the archive, since the product is not on sale.
        case .withdrawn: try append(.productWithdrawn, product, in: repositories)
        case .archived: try append(.productArchived, product, in: repositories)
        case .draft, .unrecognised: break
        }
    }
}

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
        let problems = InvalidField.year("publishAt", new.publishAt) + InvalidField.year("withdrawAt", new.withdrawAt)
        try problems.check()
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
