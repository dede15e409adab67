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

        let taxonomy = TaxonomyHandlers(services: services, pages: pages)
        routes(Contract.managedCategories).read(taxonomy.categories)
        routes(Contract.setCategory).write(taxonomy.setCategory)
        routes(Contract.deleteCategory).delete(taxonomy.delete(.category))
        routes(Contract.managedSeasons).read(taxonomy.seasons)
        routes(Contract.setSeason).write(taxonomy.setSeason)
        routes(Contract.deleteSeason).delete(taxonomy.delete(.season))
        routes(Contract.managedThemes).read(taxonomy.themes)
        routes(Contract.setTheme).write(taxonomy.setTheme)
        routes(Contract.deleteTheme).delete(taxonomy.delete(.theme))
        routes(Contract.managedPromotions).read(taxonomy.promotions)
        routes(Contract.setPromotions).write(taxonomy.setPromotions)
    }
}
