import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let managedProducts = Exchange<ManagedProductsQuery, Page<ManagedProduct>>(
        "managedProducts", .get, "/v1/admin/products", .staff(.readCatalog),
        about: "Lists products in every status, latest first.")
    public static let addProduct = Exchange<ProductTerms, ManagedProduct>(
        "addProduct", .post, "/v1/admin/products", .staff(.writeCatalog), status: 201, .firstVersion,
        problems: [.handleTaken, .skuTaken, .statusConflict],
        about: "Adds a product. It is a draft unless the body sets another status.")
    /// The path has an id or a handle, as in `updateProduct`.
    public static let managedProduct = Exchange<NoInput, ManagedProduct>(
        "managedProduct", .get, "/v1/admin/products/{id}", .staff(.readCatalog), .versioned,
        about: "Returns a product in any status, by ID or handle.")
    public static let updateProduct = Exchange<ProductPatch, ManagedProduct>(
        "updateProduct", .patch, "/v1/admin/products/{id}", .staff(.writeCatalog), .versioned,
        problems: [.handleTaken, .skuTaken, .statusConflict],
        about: "Updates the fields in the body. With If-Match, the update fails if another version is "
            + "current.")
    /// The body is a PNG, JPEG, WebP or GIF, with its media type.
    public static let addPicture = Exchange<RawBytes, Picture>(
        "addPicture", .post, "/v1/admin/pictures", .staff(.writeCatalog), status: 201, .readsOnly,
        problems: [.invalidPicture],
        about: "Uploads a picture and returns its URL for a product. The body is the picture itself.")
    /// The answer is a CSV file that `importCatalog` reads. It is streamed.
    public static let exportProducts = Exchange<NoInput, RawBytes>(
        "exportProducts", .get, "/v1/admin/exports/products", .staff(.readCatalog),
        about: "Exports all products as a CSV file that can be imported again.")

    public static let managedCategories = Exchange<PageQuery, Page<Category>>(
        "managedCategories", .get, "/v1/admin/categories", .staff(.readCatalog),
        about: "Lists all categories, including those without products on sale.")
    public static let setCategory = Exchange<NameRequest, Category>(
        "setCategory", .put, "/v1/admin/categories/{id}", .staff(.writeCatalog),
        about: "Adds or renames a category.")
    public static let deleteCategory = Exchange<NoInput, NoContent>(
        "deleteCategory", .delete, "/v1/admin/categories/{id}", .staff(.writeCatalog), status: 204,
        problems: [.stillUsed],
        about: "Deletes a category that no product uses.")
    public static let managedSeasons = Exchange<PageQuery, Page<Season>>(
        "managedSeasons", .get, "/v1/admin/seasons", .staff(.readCatalog),
        about: "Lists all seasons.")
    public static let setSeason = Exchange<SeasonTerms, Season>(
        "setSeason", .put, "/v1/admin/seasons/{id}", .staff(.writeCatalog),
        about: "Adds or updates a season.")
    public static let deleteSeason = Exchange<NoInput, NoContent>(
        "deleteSeason", .delete, "/v1/admin/seasons/{id}", .staff(.writeCatalog), status: 204, problems: [.stillUsed],
        about: "Deletes a season that no product uses.")
    public static let managedThemes = Exchange<PageQuery, Page<Theme>>(
        "managedThemes", .get, "/v1/admin/themes", .staff(.readCatalog),
        about: "Lists all themes.")
    public static let setTheme = Exchange<ThemeRequest, Theme>(
        "setTheme", .put, "/v1/admin/themes/{id}", .staff(.writeCatalog),
        about: "Adds or updates a theme.")
    public static let deleteTheme = Exchange<NoInput, NoContent>(
        "deleteTheme", .delete, "/v1/admin/themes/{id}", .staff(.writeCatalog), status: 204, problems: [.stillUsed],
        about: "Deletes a theme that no product uses.")
    public static let managedPromotions = Exchange<PageQuery, Page<ManagedPromotion>>(
        "managedPromotions", .get, "/v1/admin/promotions", .staff(.readCatalog), .versioned,
        about: "Lists the promoted products with their status, in the shop's order. The ETag is that of the whole list."
    )
    /// Replaces the front page.
    public static let setPromotions = Exchange<PromotionsRequest, Page<ManagedPromotion>>(
        "setPromotions", .put, "/v1/admin/promotions", .staff(.writeCatalog), .versioned,
        about: "Replaces all promotions. With If-Match, the update fails if another version is current.")

    static let productExchanges: [any AnyExchange] = [
        managedProducts, addProduct, managedProduct, updateProduct, addPicture, exportProducts,
        managedCategories, setCategory, deleteCategory, managedSeasons, setSeason, deleteSeason,
        managedThemes, setTheme, deleteTheme, managedPromotions, setPromotions,
    ]
}

/// The query of `managedProducts`, which lists the latest products first.
public struct ManagedProductsQuery: PagedQuery {
    /// nil for products in every status.
    public var status: ProductStatus?
    /// A part of the name, handle, style code or a SKU, case-insensitive; nil for all products.
    public var text: String?
    public var category: String?
    public var page = PageQuery()

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.word("status", &status)
        try coder.text("q", &text)
        try coder.text("category", &category)
        try page.code(&coder)
    }
}

/// The body of `setCategory`.
public struct NameRequest: JSONModel, Equatable {
    public let name: String

    public init(name: String) {
        self.name = name
    }

    public static let json = JSONObject(NameRequest.init, .field("name", \.name))
}

/// The body of `setTheme`.
public struct ThemeRequest: JSONModel, Equatable {
    public let name: String
    public let seasonId: String

    public init(name: String, seasonId: String) {
        self.name = name
        self.seasonId = seasonId
    }

    public static let json = JSONObject(ThemeRequest.init, .field("name", \.name), .field("seasonId", \.seasonId))
}

/// The body of `setPromotions`: the whole front page in order.
public struct PromotionsRequest: JSONModel, Equatable {
    public let items: [PromotionTerms]

    public init(items: [PromotionTerms]) {
        self.items = items
    }

    public static let json = JSONObject(PromotionsRequest.init, .field("items", \.items))
}

// MARK: - Changes

/// The body of `updateProduct`. Lists are replaced as a whole: variants missing from the new list are removed, and
/// images can be added, reordered and removed.
///
/// A new status takes effect immediately and clears the times of the old one. `publishAt` and `withdrawAt` change the
/// status at that time.
public struct ProductPatch: JSONModel, Equatable {
    public var name: String?
    public var handle: String?
    public var status: ProductStatus?
    public var publishAt: FieldChange<Date> = .keep
    public var withdrawAt: FieldChange<Date> = .keep
    public var styleCode: FieldChange<String> = .keep
    public var description: FieldChange<String> = .keep
    public var seasonId: FieldChange<String> = .keep
    public var themeId: FieldChange<String> = .keep
    public var category: String?
    public var tags: [String]?
    public var materials: FieldChange<[String]> = .keep
    public var careInstructions: FieldChange<String> = .keep
    public var options: [ProductOption]?
    public var images: [ProductImage]?
    public var promoImage: FieldChange<ProductImage> = .keep
    public var variants: [VariantTerms]?

    /// The patch that changes nothing.
    public static let empty = ProductPatch(name: nil)

    public func applied(to old: ProductTerms) -> ProductTerms {
        // A new status clears the times of the old one.
        let keepsTimes = status == nil || status == old.status
        return ProductTerms(
            name: name ?? old.name, handle: handle ?? old.handle, status: status ?? old.status,
            publishAt: publishAt.applied(to: keepsTimes ? old.publishAt : nil),
            withdrawAt: withdrawAt.applied(to: keepsTimes ? old.withdrawAt : nil),
            styleCode: styleCode.applied(to: old.styleCode), description: description.applied(to: old.description),
            seasonId: seasonId.applied(to: old.seasonId), themeId: themeId.applied(to: old.themeId),
            category: category ?? old.category, tags: tags ?? old.tags,
            materials: materials.applied(to: old.materials),
            careInstructions: careInstructions.applied(to: old.careInstructions), options: options ?? old.options,
            images: images ?? old.images, promoImage: promoImage.applied(to: old.promoImage),
            variants: variants ?? old.variants)
    }

    public static let json = JSONObject(
        ProductPatch.init(
            name:handle:status:publishAt:withdrawAt:styleCode:description:seasonId:themeId:category:tags:materials:
            careInstructions:options:images:promoImage:variants:),
        .nonNull("name", \.name), .nonNull("handle", \.handle), .nonNull("status", \.status),
        .field("publishAt", \.publishAt), .field("withdrawAt", \.withdrawAt), .field("styleCode", \.styleCode),
        .field("description", \.description), .field("seasonId", \.seasonId), .field("themeId", \.themeId),
        .nonNull("category", \.category), .nonNull("tags", \.tags), .field("materials", \.materials),
        .field("careInstructions", \.careInstructions), .nonNull("options", \.options), .nonNull("images", \.images),
        .field("promoImage", \.promoImage), .nonNull("variants", \.variants))
}

extension ProductPatch {
    /// Creates the smallest patch that changes the old terms to the new ones.
    public init(from old: ProductTerms, to new: ProductTerms) {
        func field<Value: Equatable>(_ value: KeyPath<ProductTerms, Value?>) -> FieldChange<Value> {
            guard old[keyPath: value] != new[keyPath: value] else { return .keep }
            return new[keyPath: value].map { .set($0) } ?? .clear
        }
        func whole<Value: Equatable>(_ value: KeyPath<ProductTerms, Value?>) -> Value? {
            old[keyPath: value] == new[keyPath: value] ? nil : new[keyPath: value]
        }
        self.init(
            name: old.name == new.name ? nil : new.name, handle: whole(\.handle), status: whole(\.status),
            publishAt: field(\.publishAt), withdrawAt: field(\.withdrawAt), styleCode: field(\.styleCode),
            description: field(\.description), seasonId: field(\.seasonId), themeId: field(\.themeId),
            category: whole(\.category), tags: whole(\.tags), materials: field(\.materials),
            careInstructions: field(\.careInstructions), options: whole(\.options), images: whole(\.images),
            promoImage: field(\.promoImage), variants: whole(\.variants))
    }
}
