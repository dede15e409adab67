import PouchContract
import PouchDomain
import PouchWire

extension ShopRouter {
    /// Products, pictures, categories, seasons, themes and the front page.
    static func addProducts(_ services: ShopServices, _ routes: RouteRegistrar, _ pages: ListPager) {
        let products = ProductHandlers(services: services, pages: pages)
        routes(Contract.managedProducts).read(products.list)
        routes(Contract.addProduct).write(products.add)
        routes(Contract.managedProduct).read(products.product)
        routes(Contract.updateProduct).write(products.update)
        routes(Contract.addPicture).stream(products.addPicture)
        routes(Contract.exportProducts).stream(products.export)

        let outline = OutlineHandlers(services: services, pages: pages)
        routes(Contract.managedCategories).read(outline.categories)
        routes(Contract.setCategory).write(outline.setCategory)
        routes(Contract.deleteCategory).delete(outline.delete(.category))
        routes(Contract.managedSeasons).read(outline.seasons)
        routes(Contract.setSeason).write(outline.setSeason)
        routes(Contract.deleteSeason).delete(outline.delete(.season))
        routes(Contract.managedThemes).read(outline.themes)
        routes(Contract.setTheme).write(outline.setTheme)
        routes(Contract.deleteTheme).delete(outline.delete(.theme))
        routes(Contract.managedPromotions).read(outline.promotions)
        routes(Contract.setPromotions).write(outline.setPromotions)
    }
}
