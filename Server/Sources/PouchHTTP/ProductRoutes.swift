import PouchContract
import PouchDomain
import PouchWire

extension ShopRouter {
    /// Products, pictures, the parts of the catalogue, and the front page.
    static func addProducts(_ services: ShopServices, _ routes: RouteRegistrar, _ pages: ListPager) {
        let products = ProductHandlers(services: services, pages: pages)
        routes("GET /v1/admin/products", .staff(.readCatalog), Contract.managedProducts).read(products.list)
        routes("POST /v1/admin/products", .staff(.writeCatalog), Contract.addProduct).write(products.add)
        routes("GET /v1/admin/products/{id}", .staff(.readCatalog), Contract.managedProduct).read(products.product)
        routes("PATCH /v1/admin/products/{id}", .staff(.writeCatalog), Contract.updateProduct).write(products.update)
        routes("POST /v1/admin/pictures", .staff(.writeCatalog), Contract.addPicture).stream(products.addPicture)
        routes("GET /v1/admin/exports/products", .staff(.readCatalog), Contract.exportProducts).stream(products.export)

        let outline = OutlineHandlers(services: services, pages: pages)
        routes("GET /v1/admin/categories", .staff(.readCatalog), Contract.managedCategories).read(outline.categories)
        routes("PUT /v1/admin/categories/{id}", .staff(.writeCatalog), Contract.setCategory).write(outline.setCategory)
        routes("DELETE /v1/admin/categories/{id}", .staff(.writeCatalog), Contract.deleteCategory).delete(
            outline.delete(.category))
        routes("GET /v1/admin/seasons", .staff(.readCatalog), Contract.managedSeasons).read(outline.seasons)
        routes("PUT /v1/admin/seasons/{id}", .staff(.writeCatalog), Contract.setSeason).write(outline.setSeason)
        routes("DELETE /v1/admin/seasons/{id}", .staff(.writeCatalog), Contract.deleteSeason).delete(
            outline.delete(.season))
        routes("GET /v1/admin/themes", .staff(.readCatalog), Contract.managedThemes).read(outline.themes)
        routes("PUT /v1/admin/themes/{id}", .staff(.writeCatalog), Contract.setTheme).write(outline.setTheme)
        routes("DELETE /v1/admin/themes/{id}", .staff(.writeCatalog), Contract.deleteTheme).delete(
            outline.delete(.theme))
        routes("GET /v1/admin/promotions", .staff(.readCatalog), Contract.managedPromotions).read(outline.promotions)
        routes("PUT /v1/admin/promotions", .staff(.writeCatalog), Contract.setPromotions).write(outline.setPromotions)
    }
}
