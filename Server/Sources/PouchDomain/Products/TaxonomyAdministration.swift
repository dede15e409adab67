import Foundation
import PouchEntities
import PouchJSON

/// Changes categories, seasons, themes and the front page for the staff.
public struct TaxonomyAdministration: Sendable {
    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// Creates or renames a category.
    ///
    /// - Returns: the category before (nil for a new one) and after.
    /// - Throws: `DomainError.invalid`.
    public func setCategory(
        id: String, name: String, in repositories: any Repositories
    ) throws -> (before: PouchEntities.Category?, after: PouchEntities.Category) {
        try (Self.problems(id: id, isSlug: true) + Self.problems(name: name)).check()
        let before = try repositories.taxonomy.category(id: id)
        let after = PouchEntities.Category(id: id, name: name.singleLine, productCount: before?.productCount ?? 0)
        guard after != before else { return (before, after) }
        try repositories.taxonomy.setCategory(id: id, name: after.name)
        try repositories.catalog.raiseVersion(changing: .taxonomy)
        return (before, after)
    }

    /// Creates or changes a season; its times also take effect for its products.
    ///
    /// - Throws: `DomainError.invalid`.
    public func setSeason(
        id: String, _ terms: SeasonTerms, in repositories: any Repositories
    ) throws -> (before: Season?, after: Season) {
        let times = InvalidField.period(startsAt: terms.startsAt, endsAt: terms.endsAt)
        try (Self.problems(id: id) + Self.problems(name: terms.name) + times).check()
        let before = try repositories.taxonomy.seasons().first { $0.id == id }
        let after = Season(id: id, name: terms.name.singleLine, startsAt: terms.startsAt, endsAt: terms.endsAt)
        guard after != before else { return (before, after) }
        try repositories.taxonomy.set(after)
        try repositories.catalog.raiseVersion(changing: .taxonomy)
        return (before, after)
    }

    /// Creates or changes a theme.
    ///
    /// - Throws: `DomainError.invalid`.
    public func setTheme(
        id: String, name: String, seasonId: String, in repositories: any Repositories
    ) throws -> (before: Theme?, after: Theme) {
        var problems = Self.problems(id: id) + Self.problems(name: name)
        if try !repositories.taxonomy.has(.season, id: seasonId) {
            problems.append(.unknown("seasonId", "season", seasonId))
        }
        try problems.check()
        let before = try repositories.taxonomy.themes().first { $0.id == id }
        let after = Theme(id: id, name: name.singleLine, seasonId: seasonId)
        guard after != before else { return (before, after) }
        try repositories.taxonomy.set(after)
        try repositories.catalog.raiseVersion(changing: .taxonomy)
        return (before, after)
    }

    /// - Returns: what was deleted.
    /// - Throws: `DomainError.notFound`, `.stillUsed`.
    public func delete(_ part: CatalogPart, id: String, in repositories: any Repositories) throws -> JSON {
        let taxonomy = repositories.taxonomy
        let before: (any JSONCodable)? =
            switch part {
            case .category: try taxonomy.category(id: id)
            case .season: try taxonomy.seasons().first { $0.id == id }
            case .theme: try taxonomy.themes().first { $0.id == id }
            }
        let old = try JSON(json: try before.orNotFound().json())
        let hasThemes = try part == .season && taxonomy.themes().contains { $0.seasonId == id }
        guard try !hasThemes && !taxonomy.isUsed(part, id: id) else { throw DomainError.stillUsed }
        try taxonomy.delete(part, id: id)
        try repositories.catalog.raiseVersion(changing: .taxonomy)
        return old
    }

    /// The version of the front page: of its products and their pictures.
    public func version(of promotions: [ManagedPromotion]) throws -> Int {
        try environment.version(of: promotions.map { PromotionTerms(product: $0.productId, image: $0.image) })
    }

    /// Replaces the front page.
    ///
    /// - Parameter ifMatch: the version that must be current; nil for any.
    /// - Throws: `DomainError.versionConflict`, `.invalid`.
    public func setPromotions(
        _ items: [PromotionTerms], ifMatch: Int? = nil, in repositories: any Repositories
    ) throws -> (before: [ManagedPromotion], after: [ManagedPromotion]) {
        let now = environment.time.now
        let before = try repositories.taxonomy.promotions(at: now)
        if let ifMatch, try version(of: before) != ifMatch { throw DomainError.versionConflict }
        var problems = InvalidField.number("items", items.count, in: 0...ModelLimits.promotions)
        try problems.check()
        var promoted: [CatalogContent.PromotedProduct] = []
        for (index, item) in items.enumerated() {
            guard let product = try repositories.products.product(item.product, at: now) else {
                problems.append(.unknown("items.\(index).product", "product", item.product))
                continue
            }
            guard let image = item.image ?? product.details.promoImage ?? product.details.images.first else {
                problems.add("items.\(index).image", .invalid, "“\(product.name)” has no picture. Choose one.")
                continue
            }
            if promoted.contains(where: { $0.productId == product.id }) {
                problems.add("items.\(index).product", .invalid, "Use each product only once.")
            }
            promoted.append(.init(productId: product.id, image: image, position: index))
        }
        try problems.check()
        try repositories.taxonomy.setPromotions(promoted)
        try repositories.catalog.raiseVersion(changing: .taxonomy)
        return (before, try repositories.taxonomy.promotions(at: now))
    }

    // MARK: Rules

    /// - Parameter isSlug: whether imports find the id by a name, so that it must be a slug.
    private static func problems(id: String, isSlug: Bool = false) -> [InvalidField] {
        let isValid =
            isSlug
            ? id == id.slug
            // A proxy would resolve dots in a path.
            : ![".", ".."].contains(id)
                && id.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
                    default: false
                    }
                }
        guard !isValid || !ModelLimits.textLength.contains(id.count) else { return [] }
        return [
            InvalidField(
                "id", .invalid,
                "An ID can have up to \(ModelLimits.textLength.upperBound) characters: "
                    + (isSlug ? "a-z, 0-9 and single hyphens between them." : "letters, digits and . _ - ~."))
        ]
    }

    private static func problems(name: String) -> [InvalidField] {
        InvalidField.length("name", name.singleLine, in: ModelLimits.textLength)
    }
}
